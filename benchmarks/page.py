#!/usr/bin/env python3
"""page.py RESULTS PAGE [COMPILED]: writes the table of the results, and what compile_time.sh printed, between their marks
in docs/performance.md. No figure there is written by hand."""
import re
import sys

import results

MEASURED = ("<!-- measured: benchmarks/run.sh writes what follows -->", "<!-- end of what was measured -->")
COMPILED = ("<!-- compiled: benchmarks/compile_time.sh writes what follows -->", "<!-- end of what was compiled -->")


def replaced(page, marks, text):
    pattern = re.compile(re.escape(marks[0]) + ".*?" + re.escape(marks[1]), re.DOTALL)
    if len(pattern.findall(page)) != 1:
        raise SystemExit(f"the page has not once {marks[0]}")
    return pattern.sub(lambda _: "\n\n".join([marks[0], text.strip(), marks[1]]), page)


def time_text(seconds):
    return f"{seconds * 1e9:.0f} ns" if seconds < 1e-6 else f"{seconds * 1e6:.3g} µs" if seconds < 1e-3 else \
        f"{seconds * 1e3:.3g} ms"


def number(value):
    return f"{value:.2g}" if value < 0.095 else f"{value:.2f}"


def cell(bars, key, sign, text=number):
    if key not in bars:
        return "-"
    figure, bar, met = bars[key]
    shown = text(figure) if met else f"**{text(figure)}**"
    return shown if bar is None else f"{shown} ({sign} {text(bar) if key == 'seconds' else f'{bar:g}'})"


def table(rows):
    lines = ["| workload | time | GB/s | limit / time | best peer | time / peer | 2 threads / 1 | limit: 2 / 1 |",
             "|---|---|---|---|---|---|---|---|"]
    held = missed = 0
    for row in rows:
        bars = row.bars()
        held += sum(bar is not None for _, bar, _ in bars.values())
        missed += sum(not met for _, _, met in bars.values())
        time = cell(bars, "seconds", "≤", time_text)
        speed = f"{row.bytes / row.ours / 1e9:.1f}" if row.is_large() else "-"
        limits = number(row.limit_two_threads / row.limit) if row.limit_two_threads else "-"
        lines.append(f"| {row.title} | {time} | {speed} | {cell(bars, 'of_limit', '≥')} | {row.best_peer_name or '-'} | "
                     f"{cell(bars, 'of_peer', '≤')} | {cell(bars, 'two_threads', '≤')} | {limits} |")
    return lines, held, missed


def main():
    machine, rows = results.load(sys.argv[1])
    lines, held, missed = table(rows)
    text = [
        f"Measured on {machine['date']}: {machine['model']}, {machine['cores']} cores, {machine['instruction_set']}, "
        f"{machine['compiler']}, load average {machine['load']} at the start; medians of {rows[0].samples} rounds.",
        f"Of {held} targets, {held - missed} are met; figures in bold miss theirs." if missed else
        f"All {held} targets are met.",
        "", *lines]
    with open(sys.argv[2]) as file:
        page = replaced(file.read(), MEASURED, "\n".join(text))
    if len(sys.argv) > 3:
        with open(sys.argv[3]) as file:
            page = replaced(page, COMPILED, file.read())
    with open(sys.argv[2], "w") as file:
        file.write(page)


if __name__ == "__main__":
    main()
