#!/usr/bin/env python3
"""chart.py RESULTS SVG: bytes a second of the workloads that memory bounds: goldml, the best peer, and the limit. The
picture follows the reader's light or dark setting."""
import sys
from xml.sax.saxutils import escape

import results

LEFT, RIGHT, TOP, ROW, BAR, WIDTH = 330, 150, 76, 34, 11, 960

STYLE = """
  .paper { fill: #ffffff } .text { fill: #1f2328 } .faint { fill: #59636e } .grid { stroke: #d1d9e0 }
  .ours { fill: #0969da } .peer { fill: #bc8c5f } .limit { stroke: #1f2328 }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117 } .text { fill: #f0f6fc } .faint { fill: #9198a1 } .grid { stroke: #3d444d }
    .ours { fill: #4493f8 } .peer { fill: #a8794f } .limit { stroke: #f0f6fc }
  }
  text { font: 12px system-ui, sans-serif } .title { font-size: 15px; font-weight: 600 }
"""


def chart(machine, rows):
    speed = lambda row, seconds: row.bytes / seconds / 1e9
    rows = [row for row in rows if row.is_large() and row.limit]
    top_speed = max(speed(row, t) for row in rows for t in (row.ours, row.limit, row.best_peer) if t)
    step = 5 if top_speed < 50 else 10
    x = lambda gigabytes: LEFT + gigabytes / top_speed * (WIDTH - LEFT - RIGHT)
    height = TOP + ROW * len(rows) + 16
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="Speed of goldml, its best peer, and the limit of memory, by workload">',
        f"<style>{STYLE}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{height}" rx="6"/>',
        '<text class="text title" x="16" y="26">GB/s of the least traffic, one thread (longer is better)</text>',
        f'<text class="faint" x="16" y="44">{escape(machine["model"])}, {machine["cores"]} cores, '
        f'{escape(machine["compiler"])}, {escape(machine["date"])}</text>',
        f'<rect class="ours" x="{LEFT}" y="52" width="14" height="{BAR}"/>'
        f'<text class="text" x="{LEFT + 20}" y="62">goldml</text>',
        f'<rect class="peer" x="{LEFT + 90}" y="52" width="14" height="{BAR}"/>'
        f'<text class="text" x="{LEFT + 110}" y="62">best peer (named)</text>',
        f'<line class="limit" x1="{LEFT + 250}" x2="{LEFT + 250}" y1="50" y2="66" stroke-width="3"/>'
        f'<text class="text" x="{LEFT + 258}" y="62">limit: streaming the same bytes</text>',
    ]
    for gigabytes in range(0, int(top_speed) + 1, step):
        out.append(f'<line class="grid" x1="{x(gigabytes):.1f}" x2="{x(gigabytes):.1f}" y1="{TOP}" y2="{height - 16}"/>')
        out.append(f'<text class="faint" x="{x(gigabytes):.1f}" y="{height - 4}" text-anchor="middle">{gigabytes}</text>')
    for i, row in enumerate(rows):
        y = TOP + i * ROW + 4
        ours = speed(row, row.ours)
        out.append(f'<text class="text" x="{LEFT - 10}" y="{y + 16}" text-anchor="end">{escape(row.title)}</text>')
        out.append(f'<rect class="ours" x="{LEFT}" y="{y}" width="{x(ours) - LEFT:.1f}" height="{BAR}"/>')
        limit = x(speed(row, row.limit))
        beside = x(ours) + 6
        if x(ours) - 3 <= limit <= beside + 32:  # the mark would cross the number
            beside = limit + 6
        out.append(f'<text class="text" x="{beside:.1f}" y="{y + 10}">{ours:.1f}</text>')
        if row.best_peer:
            peer = speed(row, row.best_peer)
            out.append(f'<rect class="peer" x="{LEFT}" y="{y + BAR + 1}" width="{x(peer) - LEFT:.1f}" height="{BAR}"/>')
            out.append(f'<text class="faint" x="{x(peer) + 6:.1f}" y="{y + 2 * BAR}">'
                       f"{peer:.2g} {escape(row.best_peer_name)}</text>")
        out.append(f'<line class="limit" x1="{limit:.1f}" x2="{limit:.1f}" y1="{y - 2}" y2="{y + BAR + 2}" '
                   'stroke-width="3"/>')
    return "\n".join(out + ["</svg>", ""])


if __name__ == "__main__":
    with open(sys.argv[2], "w") as file:
        file.write(chart(*results.load(sys.argv[1])))
