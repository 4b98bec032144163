#!/usr/bin/env python3
"""report.py PROJECT FOLDER: what run.sh prints, from *.lines (of lcov) and *.branches (of llvm-cov) in FOLDER.

A line is covered when any instantiation ran it. A branch is one way of a condition, true or false. What only the compiler
evaluates is left out: constexpr functions that no program calls, and conditions that went no way on a line that ran, as
those of `if constexpr` do. So are defaulted comparisons, and what is compiled on Windows alone."""
import collections
import json
import os
import pathlib
import re
import sys

project, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
include = project / "include/goldml"


def read_explained():
    """{(header, line): reason}, of blocks of three: HEADER, the line without its comment, the reason."""
    text = (pathlib.Path(__file__).parent / "explained.txt").read_text().splitlines()
    lines = [line for line in text if line and line[0] != "#"]
    if len(lines) % 3:
        sys.exit("explained.txt: wanted blocks of three lines")
    return {(lines[i].strip(), lines[i + 1].strip()): lines[i + 2] for i in range(0, len(lines), 3)}


def header_of(name):
    path = pathlib.Path(os.path.normpath(name))  # a compiler may be told to write paths with ..
    return path.relative_to(include).as_posix() if include in path.parents else None


lines = collections.defaultdict(lambda: collections.defaultdict(int))  # of a header: {line: times}
for name in folder.glob("*.lines"):
    header = None
    for record in name.read_text().splitlines():
        kind, _, rest = record.partition(":")
        if kind == "SF":
            header = header_of(rest)
        elif kind == "DA" and header:
            line, times = rest.split(",")[:2]
            lines[header][int(line)] += int(times)

branches = collections.defaultdict(lambda: collections.defaultdict(int))  # of a header: {(line, column, way): times}
for name in folder.glob("*.branches"):
    for data in json.loads(name.read_text())["data"]:
        for file in data["files"]:
            if header := header_of(file["filename"]):
                for line, column, _, _, true, false, *_ in file["branches"]:
                    branches[header][line, column, "true"] += true
                    branches[header][line, column, "false"] += false

explained = read_explained()
used = set()
counts = collections.defaultdict(lambda: [0, 0, 0, 0, 0, 0])  # of a folder: lines, covered, explained; the same of branches
missing = collections.defaultdict(dict)  # of a header: {line: what}


def count(at, header, line, covered, what):
    entry = counts[header.split("/")[0] if "/" in header else "."]
    entry[at] += 1
    entry[at + 1] += covered > 0
    if covered:
        return
    text = re.sub(r" *//.*", "", sources[header][line - 1]).strip()
    if (header, text) in explained:
        used.add((header, text))
        entry[at + 2] += 1
    else:
        missing[header].setdefault(line, [])
        if what:
            missing[header][line].append(what)


def evaluated_by_compiler(header):
    """The lines of constexpr functions that did not run at all."""
    found, inside = set(), False
    for line, times in sorted(lines[header].items()):
        text = sources[header][line - 1]
        begins = re.search(r"\b(constexpr|consteval)\b", text) and not re.search(r"\bif constexpr\b", text)
        inside = times == 0 and (bool(begins) or (inside and line - 1 in lines[header]))
        if inside:
            found.add(line)
    return found


def compiled_on_windows_or_no_code(header):
    found, inside = set(), False
    for line, text in enumerate(sources[header], 1):
        if text.startswith("#"):
            inside = text.startswith("#ifdef _WIN32")
        if inside or re.fullmatch(r"#.*|[ })\];]*(//.*)?", text):
            found.add(line)
    return found


sources = {header: (include / header).read_text().splitlines() for header in {*lines, *branches}}
for header in sorted(sources):
    left_out = evaluated_by_compiler(header) | compiled_on_windows_or_no_code(header)
    ran = lines[header]
    for line, times in sorted(ran.items()):
        if line not in left_out:
            count(0, header, line, times, "not run")
    ways = branches[header]
    for (line, column, way), times in sorted(ways.items()):
        neither = times == ways[line, column, "true"] == ways[line, column, "false"] == 0
        if line in left_out or sources[header][line - 1].endswith("= default;") or (neither and ran.get(line)):
            continue
        count(3, header, line, times, f"never {way} at column {column}" if ran.get(line) else "")

for header in sorted(missing):
    print(f"include/goldml/{header}")
    for line, what in sorted(missing[header].items()):
        print(f"  {line}: {'; '.join(what)}: {sources[header][line - 1].strip()}")
for key in sorted(set(explained) - used):
    print("explained.txt: covered now, or there is no such line: " + ": ".join(key))
total = [sum(column) for column in zip(*counts.values())]
print(f"{'coverage':12}{'lines':>8}{'covered':>9}{'':>8}{'explained':>11}{'branches':>11}{'covered':>9}{'':>8}{'explained':>11}")
for name, c in [*sorted(counts.items()), ("all", total)]:
    print(f"{name:12}{c[0]:8}{c[1]:9}{c[1] / max(c[0], 1):8.1%}{c[2]:11}{c[3]:11}{c[4]:9}{c[4] / max(c[3], 1):8.1%}{c[5]:11}")
