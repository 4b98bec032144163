#!/usr/bin/env python3
"""verdicts.py RESULTS PUBLISHED PAGE SVG: writes the tables of docs/verdicts.md between their marks, and its picture.
RESULTS is written by `GOLDML_VERDICTS=RESULTS test_oracle "verdicts*"`, PUBLISHED is what
`test_published "*figures lie in the intervals*"` prints. No figure on the page is written by hand."""
import math
import sys
from xml.sax.saxutils import escape

import page

LENGTHS = ["16", "256", "1024", "4096", "20000"]

STYLE = """
  .paper { fill: #ffffff } .text { fill: #1f2328 } .faint { fill: #59636e } .grid { stroke: #d1d9e0 }
  .usual { fill: #1a7f37; fill-opacity: .35 } .bound { fill: #1a7f37; fill-opacity: .15 }
  .tolerance { fill: #bc8c5f; fill-opacity: .55 } .right { fill: #1a7f37 } .wrong { stroke: #cf222e; stroke-width: 2 }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117 } .text { fill: #f0f6fc } .faint { fill: #9198a1 } .grid { stroke: #3d444d }
    .usual { fill: #3fb950; fill-opacity: .45 } .bound { fill: #3fb950; fill-opacity: .2 }
    .tolerance { fill: #a8794f; fill-opacity: .7 } .right { fill: #3fb950 } .wrong { stroke: #f85149 }
  }
  text { font: 12px system-ui, sans-serif } .title { font-size: 14px; font-weight: 600 }
"""

TITLES = {
    "cancels": "1024 normally distributed numbers, whose sum is {:.3f}",
    "one sign": "1024 numbers between 0 and 1, whose sum is {:.1f}",
    "integers": "1024 integers from -8 to 8, whose sum is {:.0f}: no order rounds, so only the exact sum is right",
}


def picture(rows):
    """A panel for each sum: the distance from the exact sum, logarithmically, of what is allowed and of what kernels give."""
    left, right, top, panel = 150, 24, 62, 118
    width, least, most = 900, -8, 2.7
    x = lambda distance: left + max(0.0, (math.log10(max(distance, 1e-300)) - least) / (most - least)) * (width - left - right)
    height = top + panel * len(TITLES) + 34
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="The results of '
        'right and wrong kernels, a tolerance of 1e-5, and the derived intervals, for three sums">',
        f"<style>{STYLE}</style>",
        f'<rect class="paper" width="{width}" height="{height}" rx="6"/>',
        '<text class="text title" x="16" y="24">Distance from the exact sum: what is accepted, and what kernels give</text>',
        f'<circle class="right" cx="22" cy="41" r="4"/><text class="text" x="32" y="45">right kernels, eight orders</text>',
        f'<path class="wrong" d="M 210 37 l 8 8 m 0 -8 l -8 8"/><text class="text" x="226" y="45">wrong kernels</text>',
        f'<rect class="usual" x="330" y="36" width="18" height="10"/><rect class="bound" x="348" y="36" width="18" height="10"/>'
        '<text class="text" x="374" y="45">interval: usual, suspicious</text>',
        f'<rect class="tolerance" x="560" y="36" width="18" height="10"/><text class="text" x="586" y="45">tolerance 1e-5</text>',
    ]
    for i, (name, title) in enumerate(TITLES.items()):
        y = top + i * panel
        points = [(what, float(distance)) for panel_name, what, distance in rows if panel_name == name]
        one = dict(points)
        out.append(f'<text class="text title" x="16" y="{y + 18}">{escape(title.format(one["result"]))}</text>')
        for power in range(least, 3):
            out.append(f'<line class="grid" x1="{x(10.0**power):.1f}" x2="{x(10.0**power):.1f}" y1="{y + 28}" y2="{y + 104}"/>')
        out.append(f'<text class="faint" x="{left - 8}" y="{y + 45}" text-anchor="end">tolerance</text>')
        out.append(f'<text class="faint" x="{left - 8}" y="{y + 69}" text-anchor="end">interval</text>')
        out.append(f'<text class="faint" x="{left - 8}" y="{y + 93}" text-anchor="end">kernels</text>')
        out.append(f'<rect class="tolerance" x="{left}" y="{y + 32}" width="{x(1e-5 * one["result"]) - left:.1f}" height="16"/>')
        if one["interval"] > 0:
            out.append(f'<rect class="usual" x="{left}" y="{y + 56}" width="{x(one["usual"]) - left:.1f}" height="16"/>')
            out.append(f'<rect class="bound" x="{x(one["usual"]):.1f}" y="{y + 56}" '
                       f'width="{x(one["interval"]) - x(one["usual"]):.1f}" height="16"/>')
        else:
            out.append(f'<rect class="usual" x="{left - 3}" y="{y + 56}" width="3" height="16"/>'
                       f'<text class="faint" x="{left + 6}" y="{y + 69}">one value</text>')
        for what, distance in points:
            if what in ("result", "interval", "usual"):
                continue
            if what == "right":
                out.append(f'<circle class="right" cx="{x(distance):.1f}" cy="{y + 84}" r="4"/>')
            elif distance > 0:
                out.append(f'<path class="wrong" d="M {x(distance) - 4:.1f} {y + 84} m 0 -4 l 8 8 m 0 -8 l -8 8">'
                           f"<title>{escape(what)}</title></path>")
            else:
                out.append(f"<!-- {what}: no difference -->")
    for power in range(least, 3):
        out.append(f'<text class="faint" x="{x(10.0**power):.1f}" y="{height - 12}" text-anchor="middle">'
                   f'{"≤ " if power == least else ""}1e{power}</text>')
    return "\n".join(out + ["</svg>", ""])


def share(text):
    """A percentage, without decimals unless it is near an end."""
    value = float(text)
    return f"{value:.0f}" if value in (0, 100) or 1 <= value <= 99 else f"{value:.1f}"


def legal_table(rows):
    by_operator = {}
    for row in rows:
        counts = by_operator.setdefault(row[0].split(" FLOAT")[0], [0, 0, 0, 0])
        for i in range(4):
            counts[i] += int(row[i + 1])
    lines = ["| operator | outputs of right kernels | called wrong | suspicious | toward zero |", "|---|---|---|---|---|"]
    for operator, counts in by_operator.items():
        lines.append(f"| {operator} | {' | '.join(f'{count:,}' for count in counts)} |")
    total = [sum(column) for column in zip(*by_operator.values())]
    return "\n".join(lines + [f"| **all** | {' | '.join(f'{count:,}' for count in total)} |"])


def long_table(rows):
    lines = ["| SUM FLOAT32 of 1,048,576 integers from 1 to 8 | noticed by the interval | by a tolerance of 1e-5 |", "|---|---|---|"]
    return "\n".join(lines + [f"| {row[0]} | {row[3]} | {row[4]} |" for row in rows])


def exact_table(rows):
    operators = list(dict.fromkeys(row[0] for row in rows))
    lines = ["| operator | wrong kernels tried | lengths | results that are changed | noticed |", "|---|---|---|---|---|"]
    for operator in operators:
        of = [row for row in rows if row[0] == operator]
        lengths = sorted({int(row[2]) for row in of})
        lines.append(f"| {operator} | {len({row[1] for row in of})} | {lengths[0]} to {lengths[-1]} | "
                     f"{sum(int(row[4]) for row in of):,} | {sum(int(row[5]) for row in of):,} |")
    return "\n".join(lines)


def rates_table(rows, operator, kind):
    of = [row for row in rows if row[0] == operator and row[1] == kind and int(row[4]) > 0]
    kernels = [kernel for kernel in dict.fromkeys(row[3] for row in of) if kernel != "right"]
    lines = [f"| {operator}, {kind}: the kernel | " + " | ".join(f"n = {n}" for n in LENGTHS) + " |",
             "|---|" + "---|" * len(LENGTHS)]
    for kernel in ["right"] + kernels:
        cells = []
        for n in LENGTHS:
            found = [row for row in of if row[3] == kernel and row[2] == n]
            cells.append(" / ".join(share(text) for text in found[0][5:8]) if found else "-")
        lines.append(f"| {kernel} | {' | '.join(cells)} |")
    return "\n".join(lines)


def operators_table(rows):
    lines = ["| operator | wrong kernel | interval | interval and suspicion | tolerance | right kernels that the tolerance fails |",
             "|---|---|---|---|---|---|"]
    shown = ("SUM ", "GEMM ")  # in tables of their own
    for row in rows:
        if row[2] != "256" or row[1] != "normal" or "FLOAT32" not in row[0] or row[0].startswith(shown) or row[3] == "right":
            continue
        if int(row[4]) == 0 or row[3].startswith("FLOAT16"):
            continue
        right = next(other for other in rows if other[:3] == row[:3] and other[3] == "right")
        lines.append(f"| {row[0]} | {row[3]} | {share(row[5])} | {share(row[6])} | {share(row[7])} | {share(right[7])} |")
    return "\n".join(lines)


def widths_table(rows):
    lines = ["| 1024 terms | sums | tolerance that right kernels need | its mean width | mean interval | mean usual part | "
             "interval / tolerance | greatest error, of the interval | of the usual part | mean error |",
             "|---|---|---|---|---|---|---|---|---|---|"]
    return "\n".join(lines + [f"| {row[0]} | {int(row[1]):,} | {' | '.join(row[2:])} |" for row in rows])


def published_table(lines_of_test):
    table = ["| operator | elements | exact here | narrower than web-platform-tests | than onnx | than webnn-baseline | "
             "wider than theirs |", "|---|---|---|---|---|---|---|"]
    for line in lines_of_test:
        prefix = "published intervals: "
        if not line.startswith(prefix) or "outside" in line or "elements," in line:
            continue
        *name, elements, exact, wider, wpt, onnx, baseline = line[len(prefix):].split()
        times = lambda text: text if text == "-" else f"{float(text):.3g} times"
        table.append(f"| {' '.join(name)} | {elements} | {exact} | {times(wpt)} | {times(onnx)} | {times(baseline)} | {wider} |")
    return "\n".join(table)


def main():
    results, published, page_file, svg = sys.argv[1:]
    rows = {}
    for line in open(results, encoding="utf-8"):
        kind, *rest = line.rstrip("\n").split("\t")
        rows.setdefault(kind, []).append(rest)
    tables = {
        "legal": legal_table(rows["legal"]),
        "exact": exact_table(rows["exact"]),
        "long": long_table(rows["long"]),
        "rates": "\n\n".join(rates_table(rows["rate"], operator, kind) for operator, kind in
                             (("GEMM FLOAT32", "normal"), ("GEMM FLOAT32", "one sign"), ("SUM FLOAT16", "normal"))
                             if any(row[0] == operator for row in rows["rate"])),
        "operators": operators_table(rows["rate"]),
        "widths": widths_table(rows["width"]),
        "published": published_table(open(published, encoding="utf-8").read().splitlines()),
    }
    text = open(page_file, encoding="utf-8").read()
    for name, table in tables.items():
        text = page.replaced(text, (f"<!-- {name}: benchmarks/verdicts.py writes what follows -->", f"<!-- end of {name} -->"), table)
    open(page_file, "w", encoding="utf-8").write(text)
    open(svg, "w", encoding="utf-8").write(picture(rows["picture"]))


if __name__ == "__main__":
    main()
