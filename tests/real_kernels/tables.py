"""The tables of docs/real-kernels.md, from what run.py judged, and what is known of each disagreement."""
import collections
import dataclasses
import math
import os
import re
from typing import Callable

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "real-kernels.md")


def family(row):
    """The call of a case without its data and sizes: 'gemm_bias', 'reduce l2'."""
    parts = row["case"].split(".")
    return f"reduce {parts[3].rsplit('_', 1)[0]}" if parts[0] == "reduce" else parts[0]


def named(row):
    return row["fit"]["explained_by"] if row["fit"] else ""


def has_fit(row):
    return row["fit"] is not None


def kind(row):
    return row["case"].split(".")[1]


@dataclasses.dataclass
class Finding:
    text: str
    is_it: Callable[[dict], bool]


def _is(*families, library="", way=None, type=None):
    def is_it(row):
        return (not families or family(row) in families or row["operator"] in families) and row["library"].startswith(library) and (
            way is None or row["way"] == way) and (type is None or row["type"] == type)
    return is_it


F16, F32 = "float16", "float32"
NARROWED = "a sum that is narrowed before C is added"
# What is known of the outputs that differ. The first that applies counts; what none explains is listed as such.
FINDINGS = [
    Finding("TF32 inputs, which were allowed: PyTorch's setting `allow_tf32`, off by default; JAX's default precision on a GPU",
            lambda r: r["type"] == F32 and r["way"] in ("TF32 allowed", "precision default")),
    Finding("`tl.dot` with inputs that the call rounds: TF32, which Triton cuts where cuBLAS rounds it to nearest; BF16x3; BFLOAT16, FLOAT16 and FP8",
            _is(library="Triton")),
    Finding("cuDNN and XLA on the CPU narrow the sum to FLOAT16, and add the bias to that; XLA on the GPU does so for depthwise convolutions",
            lambda r: r["operator"] == "CONVOLUTION" and r["type"] == F16 and named(r) == NARROWED),
    Finding("a convolution by FFT, cuDNN's choice for 5 x 5 filters: on integers, where no order of additions rounds, it does",
            lambda r: r["explained"] == "transform=accept"),
    Finding("FLOAT16 sums, which were allowed: `allow_fp16_accumulation`", lambda r: r["way"] == "FLOAT16 accumulation allowed"),
    Finding("C is added in a second operation, to products that are FLOAT16 already, as one writes it with these libraries; so is Alpha multiplied",
            lambda r: family(r) in ("gemm_bias", "gemm_transposed") and r["type"] == F16),
    Finding("sums and products from element to element are FLOAT16", _is("CUMULATIVE_SUMMATION", "CUMULATIVE_PRODUCT", type=F16)),
    Finding("several operations, each of which gives FLOAT16: x * x, e^x, a sum, a root, a logarithm, a quotient",
            _is("REDUCE", "ACTIVATION_SOFTMAX", "ACTIVATION_SOFTMAX1", type=F16)),
    Finding("weights and sums of the interpolation are FLOAT16", _is("UPSAMPLE_2D", library="JAX", type=F16)),
    Finding("SIGMOID has an error of 1e-7 of 1, not of the result: 569 ULP at x = -6.5, and 0 from about -16.5 on",
            _is("ACTIVATION_SIGMOID", library="ONNX Runtime")),
    Finding("the function is computed from several operations, each of which gives FLOAT16",
            lambda r: r["operator"].startswith("ACTIVATION_") and r["type"] == F16),
    Finding("the greatest of the weighted pixels of all samples, not of the interpolated samples", _is("roi_align_max", library="ONNX Runtime")),
    Finding("Beta1 and Beta2 are doubles, and 1 - 0.9 is the double 0.1; DirectML's are FLOAT, of which it is 0.10000002",
            _is("ADAM_OPTIMIZER", library="PyTorch", type=F32)),
    Finding("the places of samples are FLOAT16, too; DirectML's are FLOAT32", _is("roi_align_grad", library="PyTorch", type=F16)),
    Finding("intermediate results are FLOAT16: of several operations, of sums that one kernel adds in FLOAT16, or of statistics that it stores",
            lambda r: r["type"] == F16 and r["explained"].startswith("accumulation")),
    Finding("filters are stretched for every output that is smaller; DirectML's where it has less than half of the size", _is("RESAMPLE3")),
    Finding("GELU of infinity is NaN", _is("ACTIVATION_GELU", library="PyTorch CPU", type=F32)),
    Finding("x * min(max(x + 3, 0), 6) / 6 rounds where DirectML's x * 1 does not", _is("ACTIVATION_HARD_SWISH", library="PyTorch", type=F32)),
    Finding("the gates of a step are narrowed to FLOAT16 before the state is computed from them", _is("LSTM", "RNN", type=F16)),
    Finding("gradients outside the range are multiplied by 0, so that negative ones are -0; at x = Max half of the gradient is kept, at NaN nothing",
            _is("ELEMENT_WISE_CLIP_GRAD", "ELEMENT_WISE_CLIP_GRAD1", library="JAX")),
    Finding("the gradient at x = Max is kept; DirectML's is 0 there", _is("ELEMENT_WISE_CLIP_GRAD", "ELEMENT_WISE_CLIP_GRAD1", library="PyTorch")),
    Finding("Clip without an upper bound makes the greatest finite number of infinity", _is("ELEMENT_WISE_THRESHOLD", library="ONNX Runtime")),
    Finding("Where gives +0 for -0", _is("ELEMENT_WISE_IF", library="ONNX Runtime")),
    Finding("of equal elements any may be chosen: the library promises no order", _is("TOP_K", "TOP_K1")),
    Finding("NaN is the greatest number: the policy nan_policy", lambda r: r["explained"] == "nan_policy=propagate"),
    Finding("the elements are sums of sums: the policy sequence", lambda r: r["explained"] == "sequence=accumulate"),
]


@dataclasses.dataclass
class Kernel:
    """Outputs whose arithmetic is known, and how it should be named."""
    what: str
    is_it: Callable[[dict], bool]
    expected: str
    is_named: Callable[[dict], bool]


def _random(row):
    return has_fit(row) and kind(row) in ("normal", "positive")


def _triton(way):
    return lambda r: _random(r) and r["way"] == f"tl.dot {way}"


def _says(*names):
    return lambda r: any(n in named(r) for n in names)


def _fits(row):
    return row["fit"]["outcome"] in ("fits", "biased") and named(row) in ("", "the reciprocal of the count")


EXACT_WAYS = ("", "FLOAT64, then narrowed", "cudnn.benchmark", "channels last", "without cuDNN", "tl.dot ieee", "tl.dot bf16x6")
KERNELS = [
    Kernel("FLOAT32 by default: products, convolutions, reductions, cumulative sums", lambda r: _random(r) and r["type"] == F32 and r["way"] in EXACT_WAYS,
           "fits", _fits),
    Kernel("FLOAT16 products and convolutions of FLOAT32 sums, without C or a bias",
           lambda r: _random(r) and r["type"] == F16 and family(r) in ("gemm", "conv") and r["way"] in EXACT_WAYS + ("FLOAT32, then narrowed", "precision default"), "fits", _fits),
    Kernel("FLOAT32, narrowed with the bias", lambda r: _random(r) and r["type"] == F16 and r["way"] == "FLOAT32, then narrowed" and "bias" in family(r), "fits", _fits),
    Kernel("TF32 allowed, where the library uses it", lambda r: _random(r) and r["type"] == F32 and r["way"] in ("TF32 allowed", "precision default") and not r["is_default"],
           "TF32 inputs", _says("TF32")),
    Kernel("`tl.dot` tf32", _triton("tf32"), "TF32 inputs that are cut", _says("TF32 inputs that are cut")),
    Kernel("`tl.dot` tf32x3", _triton("tf32x3"), "TF32x3, or fits", lambda r: "TF32x3" in named(r) or _fits(r)),
    Kernel("`tl.dot` bf16x3", _triton("bf16x3"), "BF16x3", _says("BF16x3")),
    Kernel("`tl.dot` with BFLOAT16 inputs", _triton("BFLOAT16 inputs"), "BFLOAT16 inputs", _says("BFLOAT16 inputs")),
    Kernel("`tl.dot` with FLOAT16 inputs", _triton("FLOAT16 inputs"), "FLOAT16 inputs", _says("FLOAT16 inputs")),
    Kernel("`tl.dot` with FP8 inputs", _triton("FP8 E4M3 inputs"), "FP8 E4M3 inputs", _says("FP8 E4M3 inputs")),
    Kernel("FLOAT16 sums allowed", lambda r: _random(r) and r["way"] == "FLOAT16 accumulation allowed", "FLOAT16 sums", _says("FLOAT16 sums")),
    Kernel("C or a bias added to a FLOAT16 result", lambda r: _random(r) and r["type"] == F16 and (family(r) == "gemm_bias" and (r["way"] == "bias added afterwards" or
           r["library"].startswith(("NumPy", "JAX"))) or family(r) in ("conv_bias", "deconv_bias") and r["outcome"] == "differs"), NARROWED, _says(NARROWED)),
    Kernel("cuDNN's FFT convolution, on integers", lambda r: has_fit(r) and r["library"] == "PyTorch CUDA" and r["outcome"] == "differs" and
           ".integers." in r["case"] and r["case"].endswith(".k5") and (r["type"] == F32 or r["way"] == "FLOAT32, then narrowed"), "a transform", _says("a transform")),
]


def _table(head, lines):
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *("| " + " | ".join(map(str, line)) + " |" for line in lines), ""]


def _libraries(records, rows):
    lines = []
    for record in records:
        if not record["is_here"]:
            continue
        mine = [r for r in rows if r["library"] == record["library"]]
        differ = sum(r["outcome"] == "differs" for r in mine)
        outcomes = collections.Counter(r["fit"]["outcome"] for r in mine if has_fit(r))
        lines.append((record["library"], record["what"], f"{len(mine):,}", f"{len(mine) - differ:,}", differ, sum(bool(r["explained"]) for r in mine),
                      outcomes["fits"] + outcomes["biased"], outcomes["coarser"] + outcomes["outliers"], sum(bool(named(r)) for r in mine), len(record["failures"])))
    return _table(["library", "version", "outputs", "agree", "differ", "of these, agree with a policy", "fit", "do not fit", "arithmetic named", "calls that failed"], lines)


def _operators(rows, libraries):
    of = collections.defaultdict(lambda: collections.defaultdict(list))
    for r in rows:
        of[r["operator"]][r["library"]].append(r["outcome"] != "differs")
    cell = lambda a: "-" if not a else str(len(a)) if all(a) else f"**{sum(a)}** of {len(a)}"
    all_agree = [o for o in of if all(all(a) for a in of[o].values())]
    lines = [[o, *(cell(of[o][lib]) for lib in libraries)] for o in sorted(of) if o not in all_agree]
    rest = [[a for o in all_agree for a in of[o][lib]] for lib in libraries]
    lines.append([f"{len(all_agree)} others", *(cell(a) for a in rest)])
    return _table(["outputs that agree", *libraries], lines)


def _kernels(rows):
    lines = []
    for k in KERNELS:
        mine = [r for r in rows if k.is_it(r)]
        if not mine:
            continue
        right = [r for r in mine if k.is_named(r)]
        other = collections.Counter(named(r) or r["fit"]["outcome"] for r in mine if not k.is_named(r))
        sizes = sorted(r["fit"]["rms"] for r in mine)
        number = lambda x: f"{x:.2f}" if x < 10 else f"{x:,.0f}"
        lines.append((k.what, k.expected, len(mine), len(right), "; ".join(f"{n} x {text}" for text, n in other.most_common()) or "-",
                      f"{number(sizes[0])} to {number(sizes[-1])}"))
    return _table(["kernels", "expected", "outputs", "so named", "the others", "RMS of z"], lines)


def _findings(rows):
    of, unknown = collections.defaultdict(list), []
    for r in rows:
        if r["outcome"] == "differs":
            found = next((f for f in FINDINGS if f.is_it(r)), None)
            (of[found.text] if found else unknown).append(r)
    lines = []
    for f in FINDINGS:
        mine = of.get(f.text, [])
        if mine:
            policies = collections.Counter(r["explained"] or "none" for r in mine)
            calls = sorted({r["operator"].removeprefix("ELEMENT_WISE_").removeprefix("ACTIVATION_") for r in mine})
            lines.append((f.text, ", ".join(sorted({r["library"] for r in mine})), ", ".join(calls), len(mine), "; ".join(f"{p}: {n}" for p, n in policies.most_common())))
    return _table(["finding", "libraries", "operators", "outputs", "agree with the policy"], lines), unknown


def write(records, rows, page):
    """Prints the tables, or writes them into the page between their marks. Returns 1 if something differs that no finding explains."""
    rows = sorted(rows, key=lambda r: (r["case"], r["library"], r["way"]))
    default = {(r["case"], r["library"]): r["arrays"] for r in rows if r["way"] == ""}
    for r in rows:  # whether an option has changed nothing
        r["is_default"] = [key for _, key in r["arrays"]] == [key for _, key in default.get((r["case"], r["library"]), [])]
    libraries = [r["library"] for r in records if any(row["library"] == r["library"] for row in rows)]
    findings, unknown = _findings(rows)
    sections = {"libraries": _libraries(records, rows), "operators": _operators(rows, libraries), "kernels": _kernels(rows), "findings": findings}
    if page is None:
        print("\n".join(line for lines in sections.values() for line in lines))
    else:
        with open(page) as file:
            text = file.read()
        for name, lines in sections.items():
            first, last = f"<!-- {name}: tests/real_kernels/run.py writes what follows -->", f"<!-- end of {name} -->"
            text, count = re.subn(re.escape(first) + ".*?" + re.escape(last), lambda _: "\n\n".join((first, "\n".join(lines).strip(), last)), text, flags=re.DOTALL)
            if count != 1:
                raise SystemExit(f"{page} has not once {first}")
        with open(page, "w") as file:
            file.write(text)
    for r in unknown:
        print(f"no finding explains {r['case']}, {r['library']}, {r['way'] or 'by default'}: {r['differing']} of {r['compared']} elements\n{r.get('report', '')[:600]}\n")
    print(f"{len(rows)} outputs judged, {sum(r['outcome'] == 'differs' for r in rows)} differ, {len(unknown)} of these without a finding")
    return 1 if unknown else 0
