#!/usr/bin/env python3
"""Keeps the counts in README.md equal to vectors.json: of cases by source and operator, and by tag.

  tests/published/counts.py           rewrites them
  tests/published/counts.py --check   fails if they differ (the test published.counts)"""
import collections
import json
import pathlib
import re
import sys

here = pathlib.Path(__file__).resolve().parent
sources = [  # repository, its title, licence, tag
    ("web-platform-tests/wpt", "web-platform-tests/wpt, WebNN conformance tests", "BSD-3-Clause", "wpt"),
    ("numpy/numpy", "numpy/numpy, argmin tables", "BSD-3-Clause", "numpy"),
    ("microsoft/onnxruntime", "microsoft/onnxruntime, CPU provider tests", "MIT", "ort"),
    ("onnx/onnx", "onnx/onnx, backend node tests", "Apache-2.0", "onnx"),
    ("webmachinelearning/webnn-baseline", "webmachinelearning/webnn-baseline", "Apache-2.0", "webnn-baseline"),
    ("microsoft/tensorflow-directml-plugin", "microsoft/tensorflow-directml-plugin", "Apache-2.0", "tf"),
    ("openxla/stablehlo", "openxla/stablehlo, interpreter tests and JAX test data", "Apache-2.0", "stablehlo"),
    ("openxla/xla", "openxla/xla, tests of batch normalisation", "Apache-2.0", "xla"),
    ("uxlfoundation/oneDNN", "uxlfoundation/oneDNN, graph unit tests", "Apache-2.0", "onednn"),
    ("NervanaSystems/ngraph", "NervanaSystems/ngraph, backend tests", "Apache-2.0", "ngraph"),
    ("openvinotoolkit/openvino", "openvinotoolkit/openvino, template plugin tests", "Apache-2.0", "openvino"),
    ("daphne-eu/daphne", "daphne-eu/daphne, kernel tests", "Apache-2.0", "daphne"),
    ("tensorflow/tflite-micro", "tensorflow/tflite-micro, kernel tests", "Apache-2.0", "tflm"),
    ("DEShawResearch/random123", "DEShawResearch/random123, known answers", "BSD-3-Clause", "random123"),
    ("directml-reference", "DirectML's own CPU reference, as its test program prints it in public reports (inputs inferred)",
     "facts only", "directml-reference"),
    ("directml-gpu", "answers of DirectML, one of Direct3D, on GPUs in public reports", "facts only", "directml-gpu"),
    ("microsoft-docs", "DirectML's reference pages, figures of their examples", "facts only", "doc"),
]


def family(operator):
    for prefix in ("ELEMENT_WISE", "ACTIVATION"):
        if operator.startswith(prefix + "_") and "SOFTMAX" not in operator and "HARDMAX" not in operator:
            return prefix + "_*"
    return operator


def text_of_counts(operators):
    """'9 ARGMIN, 36 element-wise': of one family those of many operators are added up."""
    counts, members = collections.Counter(), collections.defaultdict(set)
    for operator in operators:
        counts[family(operator)] += 1
        members[family(operator)].add(operator)
    words = {"ELEMENT_WISE_*": "element-wise", "ACTIVATION_*": "activations"}
    parts = []
    for name, count in counts.items():
        if name in words and len(members[name]) == 1:
            name = next(iter(members[name])).split("_", 2 if name[0] == "E" else 1)[-1]
        parts.append(f"{count} {words.get(name, name)}")
    return ", ".join(parts)


cases = json.loads((here / "vectors.json").read_text())
for case in cases:
    case["operator"] = case["op"].removeprefix("DML_OPERATOR_")
    case["repository"] = case["source"].split(":")[0]
unknown = {case["repository"] for case in cases} - {source[0] for source in sources}
if unknown:
    sys.exit(f"counts.py: no title and licence for {', '.join(unknown)}")

by_family = collections.Counter((family(case["operator"]), case["repository"]) for case in cases)
families = list(dict.fromkeys(family(case["operator"]) for case in cases))
header = "| source, and its tag | licence | cases |\n|---|---|---|\n"
table = header + "".join(
    f"| {title}: `{tag}` | {licence} | {sum(case['repository'] == repository for case in cases)} |\n"
    for repository, title, licence, tag in sources) + f"| **all** | | **{len(cases)}** |\n"
table += "\n| operator | " + " | ".join(f"`{source[3]}`" for source in sources) + " | all |\n"
table += "|---|" + "---|" * (len(sources) + 1) + "\n"
for name in sorted(families):
    row = [by_family[name, source[0]] for source in sources]
    table += f"| {name} | " + " | ".join(str(n) if n else "" for n in row) + f" | {sum(row)} |\n"

readme = here / "README.md"
text = before = readme.read_text()


def replace(pattern, replacement):
    global text
    text, count = re.subn(pattern, lambda match: replacement(match) if callable(replacement) else replacement, text,
                          flags=re.DOTALL | re.MULTILINE)
    if not count:
        sys.exit(f"counts.py: README.md has no {pattern}")


distinct = {json.dumps([case[key] for key in ("op", "inputs", "attributes", "outputs")]) for case in cases}
replace(r"^`vectors.json` has \d+ cases", f"`vectors.json` has {len(cases)} cases")
replace(r"^\d+ of the cases are distinct", f"{len(distinct)} of the cases are distinct")
replace(r"(<!-- counts.py writes this -->\n).*?(<!-- end -->)", lambda match: match[1] + table + match[2])
source_tags = {source[3] for source in sources}
listed = set()


def tag_row(match):
    names = re.findall(r"`([^`]+)`", match[1])
    listed.update(names)
    if set(names) & source_tags:
        return match[0]
    operators = [case["operator"] for case in cases if set(names) & set(case["tags"])]
    return f"| {match[1]} | {text_of_counts(operators)} | {match[3]} |"


tags = text.index("## Tags")
end = text.index("\n## ", tags)
text = text[:tags] + re.sub(r"^\| (`[^|]+) \| ([^|]*) \| (.*) \|$", tag_row, text[tags:end], flags=re.MULTILINE) + text[end:]
unlisted = {tag for case in cases for tag in case["tags"]} - listed - source_tags
if unlisted:
    sys.exit(f"counts.py: README.md does not explain the tags {', '.join(sorted(unlisted))}")
if text == before:
    print(f"published vectors: the counts of {len(cases)} cases are right")
elif "--check" in sys.argv:
    sys.exit("counts.py: README.md has other counts than vectors.json: run tests/published/counts.py")
else:
    readme.write_text(text)
