#!/usr/bin/env python3
"""What docs/attacks.md says of time and memory, measured.

limits.py GOLDML work [--ways=cpu,reference,check] [WORD...]: for each case whose name has one of the words, on the
    hardest data known, the processor time of the program beyond that of a model without commands, divided by the work
    that the program counts; then the greatest and the least of these, of cases that take 20 ms. Exit status 1 if such a
    case takes more than two nanoseconds per unit, or if none of an operator's takes a fifth of one.
limits.py GOLDML memory [WORD...]: the peak of the resident memory of calls with little --max-memory. Exit status 1 if
    one is above 1.5 times that and 16 MiB."""
import json
import os
import re
import resource
import subprocess
import sys
import tempfile

BYTES = {"FLOAT32": 4, "FLOAT16": 2, "UINT32": 4, "INT32": 4, "UINT8": 1, "INT8": 1, "UINT64": 8, "FLOAT64": 8}
GOLDML = ""


def processor_time(folder, *arguments):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([GOLDML, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done


class Tensor:
    """Data: a number for all elements, or a list that repeats along the first dimensions by strides of 0; none for an
    output."""

    def __init__(self, sizes, data=None, type="FLOAT32", strides=None):
        self.sizes, self.data, self.type, self.strides = sizes, data, type, strides
        if isinstance(data, list) and strides is None:
            self.strides, step = [], 1
            for size in reversed(sizes):
                self.strides.insert(0, step if step * size <= len(data) else 0)
                step *= size

    def desc(self):
        return {"DataType": self.type, "Sizes": self.sizes, **({"Strides": self.strides} if self.strides else {})}

    def resource(self):
        count = 1
        if self.strides:
            count += sum((size - 1) * stride for size, stride in zip(self.sizes, self.strides))
        else:
            for size in self.sizes:
                count *= size
        repeated = {"valueCount": count, "value": self.data or 0}
        return {"initialValuesDataType": self.type, "initialValues": self.data if isinstance(self.data, list) else repeated}


class Case:
    def __init__(self, name, type, desc, **tensors):
        self.name, self.type, self.desc = name, type, desc
        self.tensors = tensors

    def write(self, folder):
        def desc_of(t):
            return [each.desc() for each in t] if isinstance(t, list) else t.desc()

        resources, bindings, self.outputs = {}, {}, []
        for name, tensor in self.tensors.items():
            each = tensor if isinstance(tensor, list) else [tensor]
            names = [f"{name}{i}" for i in range(len(each))]
            for n, t in zip(names, each):
                resources[n] = t.resource()
                if t.data is None:
                    self.outputs.append(n)
            bindings[name] = [{"name": n} for n in names] if isinstance(tensor, list) else names[0]
        op = {"type": self.type, "desc": {**self.desc, **{n: desc_of(t) for n, t in self.tensors.items()}}}
        dispatch = {"type": "dispatch", "dispatchable": "op", "bindings": bindings}
        writes = [{"type": "writeFile", "resource": o, "targetPath": o + ".bin"} for o in self.outputs]
        prints = [{"type": "print", "resource": o} for o in self.outputs]
        for file, commands in (("m", [dispatch]), ("none", []), ("w", [dispatch] + writes), ("p", [dispatch] + prints)):
            with open(os.path.join(folder, file + ".json"), "w") as out:
                json.dump({"resources": resources, "dispatchables": {"op": op}, "commands": commands}, out)


def measure(case, way, all=str(2**63)):
    """seconds, and the counted work"""
    with tempfile.TemporaryDirectory() as folder:
        case.write(folder)
        arguments = ["run", "m.json", "--backend", way]
        if way == "check":
            processor_time(folder, "run", "w.json", "--output-dir", "o", "--max-work", all)
            arguments = ["check", "m.json"] + sum((["--actual", f"{o}=o/{o}.bin"] for o in case.outputs), [])
        _, refused = processor_time(folder, *arguments, "--max-work", "0")
        found = re.search(rb"commands is (\d+)", refused.stderr)
        if not found:
            return print(f"{case.name}: {refused.stderr.decode()[:500]}")
        none, _ = processor_time(folder, "run", "none.json")
        seconds, done = processor_time(folder, *arguments, "--max-work", all)
        if done.returncode not in (0, 3):
            return print(f"{case.name}: {done.stdout.decode()[:300]} {done.stderr.decode()[:300]}")
        return max(seconds - none, 0), int(found.group(1))


CASES = []


def case(*words, **tensors):
    CASES.append(Case(*words, **tensors))


N = 20000
T = Tensor
HARD = {  # of FLOAT32, with results within 2^-44 of a midpoint
    "SIGMOID": (-2.1995151, {}), "TANH": (0.3005732, {}), "SOFTPLUS": (-0.662628651, {"Steepness": 1}),
    "ELU": (-2.27664542, {"Alpha": 1}), "CELU": (-2.27664542, {"Alpha": 1}), "SOFTSIGN": (1.32579172, {}),
    "SCALED_TANH": (1.84200895, {"Alpha": 0.7, "Beta": 0.9}),
    "PARAMETRIC_SOFTPLUS": (0.0894022956, {"Alpha": 0.7, "Beta": 1.3}),
    "SCALED_ELU": (-3.30358839, {"Alpha": 0.7, "Gamma": 1.1}),
}
for name, (x, attributes) in HARD.items():
    case(name, "ACTIVATION_" + name, attributes, InputTensor=T([N], [x]), OutputTensor=T([N]))
for name, attributes in {"RELU": {}, "LEAKY_RELU": {"Alpha": 0.1}, "LINEAR": {"Alpha": 1.1, "Beta": -0.37},
                         "HARD_SIGMOID": {"Alpha": 0.21, "Beta": 0.43}, "IDENTITY": {}}.items():
    case(name, "ACTIVATION_" + name, attributes, InputTensor=T([N], [0.7]), OutputTensor=T([N]))
for n in (2, 64):
    row = [-3.75976539] * (n - 1) + [0]
    for op in ("SOFTMAX1", "LOG_SOFTMAX1", "HARDMAX1"):
        case(f"{op} rows of {n}", "ACTIVATION_" + op, {"Axes": [1]}, InputTensor=T([N // n, n], row),
             OutputTensor=T([N // n, n]))


def reduce(name, function, row, n=N, to="FLOAT32"):
    rows = max(1, n // len(row))
    case(f"REDUCE {function} {name}", "REDUCE", {"Function": function, "Axes": [1]}, InputTensor=T([rows, len(row)], row),
         OutputTensor=T([rows, 1], type=to))


u, k = 2.0**-23, 2**22 + 1
reduce("tie of 2", "AVERAGE", [1, 1 + u])
reduce("0", "AVERAGE", [0])
reduce("1000", "AVERAGE", [1e30, -1e30] * 500 + [3], 20 * N)
for f in ("SUM", "L1"):
    reduce("tie of 2", f, [1 + u, 2**-24])
    reduce("tie of 1000", f, [1 + u, 2**-24] + [0] * 998, 20 * N)
reduce("cancel 1000", "SUM", [1e30, -1e30] * 500 + [1e-30], 20 * N)
reduce("0", "SUM", [0])
for f in ("L2", "SUM_SQUARE"):
    reduce("tie", f, [3 * k, 4 * k])
    reduce("0", f, [0])
    reduce("tie of 1000", f, [3 * k, 4 * k] + [0] * 998, 20 * N)
reduce("near 0", "LOG_SUM_EXP", [-0.6931471805599453] * 2, N // 2)
reduce("near 0 of 1000", "LOG_SUM_EXP", [-6.907755278982137] * 1000, N)
reduce("near 0 of 1", "LOG_SUM_EXP", [2**-149], N // 2)
reduce("of 1", "LOG_SUM", [1 + u], N // 2)
reduce("cancel", "LOG_SUM", [1e8, -1e8, 1 + u], N)
reduce("1000", "LOG_SUM", [1e8, -1e8] * 500 + [1 + u], 10 * N)
reduce("tie", "MULTIPLY", [1 + 2**-12, 1 + 2**-12])
reduce("0", "MULTIPLY", [0, 1])
reduce("1000", "MULTIPLY", [1 + 2**-12, 1 - 2**-12] * 500, 10 * N)
reduce("overflow", "MULTIPLY", [1e30] * 40 + [1e-30] * 40, 10 * N)
for f in ("MIN", "MAX"):
    reduce("0", f, [0])
    reduce("subnormals", f, [1e-45, 3e-45])
    reduce("1000 subnormals", f, [i * 1e-45 + 1e-45 for i in range(1000)], 20 * N)
for f in ("ARGMIN", "ARGMAX"):
    reduce("1", f, [1e-45], to="UINT32")
    reduce("1000 subnormals", f, [i * 1e-45 + 1e-45 for i in range(1000)], 20 * N, to="UINT32")
for n in (2, 4, 1000):
    for axis, type, row in ((1, "FLOAT32", [1e30, -1e30, 1e-30, -1e-30]), (1, "FLOAT16", [6e4, -6e4, 6e-8, -6e-8])):
        row = (row * n)[:n]
        c = {"Axis": axis, "AxisDirection": "INCREASING"}
        case(f"CUMULATIVE_SUMMATION {type} {n}", "CUMULATIVE_SUMMATION", {**c, "HasExclusiveSum": False},
             InputTensor=T([N // n, n], row, type), OutputTensor=T([N // n, n], type=type))
        row = ([1e30, -1e-30, 1.1, -1.3] * n)[:n] if type == "FLOAT32" else ([6e4, -2e-5, 1.1, -1.3] * n)[:n]
        case(f"CUMULATIVE_PRODUCT {type} {n}", "CUMULATIVE_PRODUCT", {**c, "HasExclusiveProduct": False},
             InputTensor=T([N // n, n], row, type), OutputTensor=T([N // n, n], type=type))

ZIGZAG = [1e30, -1e30, 1e-9, -1e-9, 3e20, -3e20, 1e-30, 7e-31]


def gemm(name, m, k, n, row=None, alpha=1, **more):
    row = row or (ZIGZAG * k)[:k]
    case(f"GEMM {name}", "GEMM", {"TransA": "NONE", "TransB": "TRANSPOSE", "Alpha": alpha, "Beta": 0, **more},
         ATensor=T([1, 1, m, k], row), BTensor=T([1, 1, n, k], [1], strides=[0, 0, 0, 0]), OutputTensor=T([1, 1, m, n]))


gemm("1", 140, 1, 140)
gemm("256", 48, 256, 48, alpha=1.1)
gemm("2048", 16, 2048, 16, alpha=1.1)
gemm("easy 512", 64, 512, 64, row=[1.1] * 512)
gemm("one row", 1, 2048, 256, alpha=1.1)
for a, at in {"TANH": {}, "SOFTPLUS": {"Steepness": 1.1}, "SIGMOID": {}, "CELU": {"Alpha": 1}, "RELU": {}}.items():
    gemm(a, 100, 2, 100, row=[1, -1 + 2**-20], FusedActivation={"Type": "ACTIVATION_" + a, **at})
gemm("SOFTMAX", 50, 8, 50, FusedActivation={"Type": "ACTIVATION_SOFTMAX"})


def convolution(name, x, w, y, strides=1, dilations=1, start=0, end=0, padding=0, groups=1, x_data=None, **more):
    both = lambda i: [i, i]
    case(f"CONVOLUTION {name}", "CONVOLUTION",
         {"Mode": "CROSS_CORRELATION", "Direction": "FORWARD", "DimensionCount": 2, "Strides": both(strides),
          "Dilations": both(dilations), "StartPadding": both(start), "EndPadding": both(end),
          "OutputPadding": both(padding), "GroupCount": groups, **more},
         InputTensor=T(x, x_data or (ZIGZAG * x[-1])[:x[-1]]), FilterTensor=T(w, [1.1], strides=[0] * 4),
         OutputTensor=T(y))


convolution("cancel 8 channels 3x3", [1, 8, 40, 40], [8, 8, 3, 3], [1, 8, 38, 38])
convolution("infinities", [1, 8, 24, 24], [8, 8, 3, 3], [1, 8, 22, 22], x_data=["inf"] * 24)
convolution("1x1", [1, 1, 140, 140], [1, 1, 1, 1], [1, 1, 140, 140])
convolution("4096 groups", [1, 4096, 1, 1], [4096, 1, 1, 1], [1, 4096, 1, 1], groups=4096)
convolution("1024 groups, padding", [1, 1024, 1, 1], [1024, 1, 3, 3], [1, 1024, 1, 1], groups=1024, start=1, end=1)
B = {"Direction": "BACKWARD"}
convolution("BACKWARD 30", [1, 1, 6, 6], [1, 1, 30, 30], [1, 1, 180, 180], strides=30, **B)
convolution("BACKWARD 300", [1, 1, 1, 1], [1, 1, 300, 300], [1, 1, 300, 300], strides=300, **B)
convolution("BACKWARD 1x1, padding", [1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 200, 200], strides=200, padding=199, **B)
convolution("BACKWARD 3x3", [1, 4, 30, 30], [4, 4, 3, 3], [1, 4, 61, 61], strides=2, **B)
convolution("all padding", [1, 1, 1, 1], [1, 1, 2, 2], [1, 1, 200, 200], start=200)
convolution("dilated", [1, 1, 300, 300], [1, 1, 3, 3], [1, 1, 100, 100], dilations=100)
for a, at in {"TANH": {}, "SOFTPLUS": {"Steepness": 1.1}}.items():
    convolution(a, [1, 1, 100, 100], [1, 1, 1, 2], [1, 1, 100, 99], x_data=[.5, -.5 + 2**-20] * 50,
                FusedActivation={"Type": "ACTIVATION_" + a, **at})


def rnn(name, h, steps, activation, r):
    f = {"Type": "ACTIVATION_" + activation[0], **activation[1]}
    x = [((i * 7919) % 1013 - 506) / 300 for i in range(steps)]
    case(f"RNN {activation[0]} {name}", "RNN", {"ActivationDescs": [f], "Direction": "FORWARD"},
         InputTensor=T([1, steps, 1, 1], x), WeightTensor=T([1, 1, h, 1], [1], strides=[0, 0, 0, 0]),
         RecurrenceTensor=T([1, 1, h, h], (r * h)[:h] * (h if h < 32 else 1)), OutputSequenceTensor=T([steps, 1, 1, h]))


for a in (("TANH", {}), ("SIGMOID", {}), ("SOFTPLUS", {"Steepness": 1.1}), ("CELU", {"Alpha": .7}),
          ("PARAMETRIC_SOFTPLUS", {"Alpha": .7, "Beta": 1.3}), ("RELU", {}), ("SOFTSIGN", {})):
    rnn("1", 1, 2000, a, [-4])
    rnn("16", 16, 100, a, [3.1, -2.7, 1.9])
rnn("128", 128, 10, ("TANH", {}), [3.1, -2.7, 1.9])
LSTM = {"ActivationDescs": [{"Type": "ACTIVATION_" + f} for f in ("SIGMOID", "TANH", "TANH")], "Direction": "FORWARD",
        "ClipThreshold": 0, "UseClipThreshold": False, "CoupleInputForget": False}
for h, steps in ((1, 1000), (16, 50), (64, 10)):
    case(f"LSTM {h}", "LSTM", LSTM, InputTensor=T([1, steps, 1, 1], [((i * 7919) % 1013 - 506) / 300 for i in range(steps)]),
         WeightTensor=T([1, 1, 4 * h, 1], [1], strides=[0, 0, 0, 0]),
         RecurrenceTensor=T([1, 1, 4 * h, h], ([3.1, -2.7, 1.9] * h)[:h] * 4 * h), OutputSequenceTensor=T([steps, 1, 1, h]))
GRU = {"ActivationDescs": LSTM["ActivationDescs"][:2], "Direction": "FORWARD"}
for linear in (False, True):
    for h, steps in ((1, 1000), (16, 50), (64, 10)):
        case(f"GRU {h}, LinearBeforeReset {linear}", "GRU", {**GRU, "LinearBeforeReset": linear},
             InputTensor=T([1, steps, 1, 1], [((i * 7919) % 1013 - 506) / 300 for i in range(steps)]),
             WeightTensor=T([1, 1, 3 * h, 1], [1], strides=[0, 0, 0, 0]),
             RecurrenceTensor=T([1, 1, 3 * h, h], ([3.1, -2.7, 1.9] * h)[:h] * 3 * h), OutputSequenceTensor=T([steps, 1, 1, h]))
ATTENTION = {"Scale": .3, "MaskFilterValue": -10000, "HeadCount": 1, "MaskType": "NONE"}
for s, keys, d in ((1, 4000, 1), (30, 30, 30), (4, 4, 900), (300, 40, 2)):
    case(f"MULTIHEAD_ATTENTION {s}, {keys}, {d}", "MULTIHEAD_ATTENTION", ATTENTION,
         QueryTensor=T([1, s, d], ([3.1, -2.7, 1.9] * d)[:d] * s), KeyTensor=T([1, keys, d], ([.7, -1.3, .2] * d)[:d] * keys),
         ValueTensor=T([1, keys, d], ([1.1, -.3] * d)[:d] * keys), OutputTensor=T([1, s, d]))

U = {"ScaleSize": {"Width": 2, "Height": 2}}
case("UPSAMPLE_2D LINEAR", "UPSAMPLE_2D", {**U, "InterpolationMode": "LINEAR"},
     InputTensor=T([1, 1, 70, 70], ([1e30, -1e30, 1e-30, -1e-30] * 18)[:70]), OutputTensor=T([1, 1, 140, 140]))
case("UPSAMPLE_2D NEAREST", "UPSAMPLE_2D", {**U, "InterpolationMode": "NEAREST_NEIGHBOR"},
     InputTensor=T([1, 1, 150, 150], [1.5]), OutputTensor=T([1, 1, 300, 300]))
RESAMPLE = {"ScaleCount": 2, "Scales": [1.1, 1.3], "InterpolationMode": "LINEAR"}
case("RESAMPLE LINEAR", "RESAMPLE", RESAMPLE, InputTensor=T([70, 70], ([1e30, -1e30, 1e-30, -1e-30] * 18)[:70]),
     OutputTensor=T([77, 91]))
case("RESAMPLE NEAREST", "RESAMPLE", {**RESAMPLE, "InterpolationMode": "NEAREST_NEIGHBOR"}, InputTensor=T([150, 150], [1.5]),
     OutputTensor=T([165, 195]))
case("RESAMPLE3 antialiased", "RESAMPLE3",
     {"DimensionCount": 2, "Scales": [0.3, 0.3], "InputPixelOffsets": [0.5] * 2, "OutputPixelOffsets": [-0.5] * 2,
      "InterpolationMode": "LINEAR", "RoundingDirection": "INCREASING", "Antialiased": True},
     InputTensor=T([70, 70], ([1e30, -1e30, 1e-30, -1e-30] * 18)[:70]), OutputTensor=T([21, 21]))
case("RESAMPLE_GRAD LINEAR", "RESAMPLE_GRAD",
     {"DimensionCount": 2, "Scales": [1.1, 1.3], "InputPixelOffsets": [-0.5] * 2, "OutputPixelOffsets": [0.5] * 2,
      "InterpolationMode": "LINEAR"},
     InputGradientTensor=T([77, 91], ([1e30, -1e30, 1e-30, -1e-30] * 23)[:91]), OutputGradientTensor=T([70, 70]))
case("ROI_POOLING", "ROI_POOLING", {"SpatialScale": 1, "PooledSize": {"Width": 8, "Height": 8}},
     InputTensor=T([1, 1, 100, 100], [1.5]), ROITensor=T([1, 1, 20, 5], [0, 0, 0, 99, 99] * 20), OutputTensor=T([20, 1, 8, 8]))
for function, mode in (("AVERAGE", "LINEAR"), ("MAX", "LINEAR"), ("AVERAGE", "NEAREST_NEIGHBOR"), ("MAX", "NEAREST_NEIGHBOR")):
    case("ROI_ALIGN1 " + function + " " + mode, "ROI_ALIGN1",
         {"ReductionFunction": function, "InterpolationMode": mode, "SpatialScaleX": 0.1, "SpatialScaleY": 0.1,
          "InputPixelOffset": 0.1, "OutputPixelOffset": 0.3, "OutOfBoundsInputValue": 1e-30,
          "MinimumSamplesPerOutput": 1, "MaximumSamplesPerOutput": 2**32 - 1, "AlignRegionsToCorners": False},
         InputTensor=T([1, 1, 100, 100], [1e30, -1e30, 1e-30, -1e-30]), ROITensor=T([20, 4], [1.1, 3.3, 991, 997] * 20),
         BatchIndicesTensor=T([20], [0], type="UINT32"), OutputTensor=T([20, 1, 8, 8]))
    case("ROI_ALIGN_GRAD " + function + " " + mode, "ROI_ALIGN_GRAD",
         {"ReductionFunction": function, "InterpolationMode": mode, "SpatialScaleX": 0.1, "SpatialScaleY": 0.1,
          "InputPixelOffset": 0.1, "OutputPixelOffset": 0.3, "MinimumSamplesPerOutput": 1,
          "MaximumSamplesPerOutput": 2**32 - 1, "AlignRegionsToCorners": False},
         InputTensor=T([1, 1, 100, 100], [1e30, -1e30, 1e-30, -1e-30]),
         InputGradientTensor=T([20, 1, 8, 8], [1, -1, 1e-30, -1e-30]), ROITensor=T([20, 4], [1.1, 3.3, 991, 997] * 20),
         BatchIndicesTensor=T([20], [0], type="UINT32"), OutputGradientTensor=T([1, 1, 100, 100]),
         OutputROIGradientTensor=T([20, 4]))
M = 100000
for op, x, more in (("ADD", [1, 2**-24], {}), ("MULTIPLY", [1 + 2**-12] * 2, {}), ("DIVIDE", [1, 3], {}),
                    ("SUBTRACT", [1, 1], {}), ("MIN", [1e-45, 3e-45], {}), ("MAX", [1e-45, 3e-45], {})):
    case("ELEMENT_WISE_" + op, "ELEMENT_WISE_" + op, more, ATensor=T([M], x[:1]), BTensor=T([M], x[1:]),
         OutputTensor=T([M]))
for op, more in (("IDENTITY", {}), ("ABS", {}), ("CEIL", {}), ("CLIP", {"Min": 0, "Max": 1})):
    for scaled in (None, {"Scale": 1.1, "Bias": 1e-9}):
        case("ELEMENT_WISE_" + op + (" ScaleBias" if scaled else ""), "ELEMENT_WISE_" + op,
             {**more, **({"ScaleBias": scaled} if scaled else {})}, InputTensor=T([M], [1e-45]), OutputTensor=T([M]))
case("VALUE_SCALE_2D", "VALUE_SCALE_2D", {"Scale": 1.1, "ChannelCount": 1, "Bias": [1e-9]}, InputTensor=T([1, 1, 1, M], [1e-45]),
     OutputTensor=T([1, 1, 1, M]))
case("MEAN_VARIANCE_NORMALIZATION1", "MEAN_VARIANCE_NORMALIZATION1",
     {"Axes": [1], "NormalizeVariance": True, "Epsilon": 1e-5}, InputTensor=T([100, M // 100], [1.1]),
     OutputTensor=T([100, M // 100]))
case("BATCH_NORMALIZATION", "BATCH_NORMALIZATION", {"Spatial": True, "Epsilon": 1e-5}, InputTensor=T([M], [1.1]),
     **{f"{name}Tensor": T([1], [1.3]) for name in ("Mean", "Variance", "Scale", "Bias")}, OutputTensor=T([M]))
case("LP_NORMALIZATION", "LP_NORMALIZATION", {"Axis": 1, "Epsilon": 1e-5, "P": 2}, InputTensor=T([100, M // 100], [1.1]),
     OutputTensor=T([100, M // 100]))
case("LOCAL_RESPONSE_NORMALIZATION", "LOCAL_RESPONSE_NORMALIZATION",
     {"CrossChannel": True, "LocalSize": 5, "Alpha": 1, "Beta": 0.6, "Bias": 1}, InputTensor=T([1, 10, 1, M // 10], [1.1]),
     OutputTensor=T([1, 10, 1, M // 10]))
case("FILL_VALUE_SEQUENCE", "FILL_VALUE_SEQUENCE", {"ValueDataType": "FLOAT32", "ValueStart": 1e-9, "ValueDelta": 0.1},
     OutputTensor=T([M]))
case("RANDOM_GENERATOR", "RANDOM_GENERATOR", {"Type": "PHILOX_4X32_10"}, InputStateTensor=T([6], [7, 0, 0, 0, 1, 2], "UINT32"),
     OutputTensor=T([M], type="UINT32"), OutputStateTensor=T([6], type="UINT32"))
case("ADAM_OPTIMIZER", "ADAM_OPTIMIZER", {"LearningRate": 0.5, "Beta1": 0.9, "Beta2": 0.99, "Epsilon": 0.1},
     **{f"{name}Tensor": T([M], [1.1]) for name in ("InputParameters", "InputFirstMoment", "InputSecondMoment", "Gradient")},
     TrainingStepTensor=T([1], [3], "UINT32"),
     **{f"Output{name}Tensor": T([M]) for name in ("Parameters", "FirstMoment", "SecondMoment")})
case("FILL_VALUE_CONSTANT", "FILL_VALUE_CONSTANT", {"ValueDataType": "FLOAT32", "Value": 1}, OutputTensor=T([10 * M]))
case("CAST", "CAST", {}, InputTensor=T([M], [0.3]), OutputTensor=T([M], type="FLOAT16"))
case("CAST to UINT8", "CAST", {}, InputTensor=T([M], [0.3]), OutputTensor=T([M], type="UINT8"))
case("DIAGONAL_MATRIX1", "DIAGONAL_MATRIX1", {"Value": 0, "ValueDataType": "FLOAT32", "DiagonalFillBegin": 0, "DiagonalFillEnd": 1},
     InputTensor=T([300, 300], [1] * 300), OutputTensor=T([300, 300]))
case("TILE", "TILE", {"Repeats": [2, 2]}, InputTensor=T([150, 150], [1]), OutputTensor=T([300, 300]))
case("SPACE_TO_DEPTH", "SPACE_TO_DEPTH", {"BlockSize": 2}, InputTensor=T([1, 1, 300, 300], [1], "UINT8"),
     OutputTensor=T([1, 4, 150, 150], type="UINT8"))
case("REVERSE_SUBSEQUENCES", "REVERSE_SUBSEQUENCES", {"Axis": 1}, InputTensor=T([300, 300], [1]),
     SequenceLengthsTensor=T([300, 1], [200], "UINT32"), OutputTensor=T([300, 300]))
case("JOIN", "JOIN", {"Axis": 0}, InputTensors=[T([150, 300], [1]), T([150, 300], [1])], OutputTensor=T([300, 300]))
for n in (2, 16, 4096):
    row = [((i * 7919) % n) * 1e-45 for i in range(n)]
    case(f"TOP_K1 of {n}", "TOP_K1", {"Axis": 1, "K": n, "AxisDirection": "DECREASING"}, InputTensor=T([2 * N // n, n], row),
         OutputValueTensor=T([2 * N // n, n]), OutputIndexTensor=T([2 * N // n, n], type="UINT32"))
case("TOP_K1 alike", "TOP_K1", {"Axis": 1, "K": 8, "AxisDirection": "DECREASING"}, InputTensor=T([8, 4096], [0]),
     OutputValueTensor=T([8, 8]), OutputIndexTensor=T([8, 8], type="UINT32"))
case("GATHER", "GATHER", {"Axis": 1, "IndexDimensions": 1}, InputTensor=T([1, 300], [1]),
     IndicesTensor=T([1, 90000], [7], "UINT32"), OutputTensor=T([1, 90000]))
case("SCATTER_ELEMENTS", "SCATTER_ELEMENTS", {"Axis": 1}, InputTensor=T([300, 300], [1]),
     IndicesTensor=T([300, 300], list(range(300)), "UINT32"), UpdatesTensor=T([300, 300], [2]),
     OutputTensor=T([300, 300]))
case("SCATTER_ND", "SCATTER_ND", {"InputDimensionCount": 2, "IndicesDimensionCount": 2},
     InputTensor=T([300, 1], [1]), IndicesTensor=T([300, 1], list(range(300)), "UINT32"), UpdatesTensor=T([300, 1], [2]), OutputTensor=T([300, 1]))
case("ONE_HOT", "ONE_HOT", {"Axis": 1}, IndicesTensor=T([300, 1], [7], "UINT32"), ValuesTensor=T([1, 2], [0, 1]),
     OutputTensor=T([300, 300]))
case("NONZERO_COORDINATES", "NONZERO_COORDINATES", {}, InputTensor=T([300, 300], [1]),
     OutputCountTensor=T([1], type="UINT32"), OutputCoordinatesTensor=T([90000, 2], type="UINT32"))
case("PADDING", "PADDING", {"PaddingMode": "REFLECTION", "PaddingValue": 0, "DimensionCount": 2, "StartPadding": [50, 50],
     "EndPadding": [50, 50]}, InputTensor=T([200, 200], [1]), OutputTensor=T([300, 300]))


# Memory: what a case takes in data, and what it takes in logical elements alone (strides of 0).
MEMORY = []


def memory_case(*words, **tensors):
    MEMORY.append(Case(*words, **tensors))


def memory_cases():
    """Packed: tensors of about a MiB. Broadcast: millions of logical elements in a few bytes."""
    n, many = 100000, 1 << 21
    for f in ("SUM", "AVERAGE", "LOG_SUM", "L2", "MIN", "ARGMAX"):
        to = "UINT32" if f == "ARGMAX" else "FLOAT32"
        desc = {"Function": f, "Axes": [1]}
        memory_case(f"REDUCE {f}", "REDUCE", desc, InputTensor=T([1, n], 1e-40), OutputTensor=T([1, 1], type=to))
        memory_case(f"REDUCE {f} of rows of 1", "REDUCE", desc, InputTensor=T([n, 1], 1e-40),
                    OutputTensor=T([n, 1], type=to))
        memory_case(f"REDUCE {f} broadcast", "REDUCE", desc, InputTensor=T([1, many], [1e-40]),
                    OutputTensor=T([1, 1], type=to))
    for op in ("SOFTMAX1", "LOG_SOFTMAX1", "HARDMAX1"):
        memory_case(op, "ACTIVATION_" + op, {"Axes": [1]}, InputTensor=T([1, n // 8], 1), OutputTensor=T([1, n // 8]))
        memory_case(op + " broadcast", "ACTIVATION_" + op, {"Axes": [1]}, InputTensor=T([1, n], [1]),
                    OutputTensor=T([1, n]))
    memory_case("VALUE_SCALE_2D", "VALUE_SCALE_2D", {"Scale": 1.1, "ChannelCount": 1, "Bias": [0.3]},
                InputTensor=T([1, 1, 1, n], 0.7), OutputTensor=T([1, 1, 1, n]))
    memory_case("ACTIVATION_TANH", "ACTIVATION_TANH", {}, InputTensor=T([n], 0.7), OutputTensor=T([n]))
    memory_case("ELEMENT_WISE_ADD", "ELEMENT_WISE_ADD", {}, ATensor=T([n], 1e-40), BTensor=T([n], 1e-40),
                OutputTensor=T([n]))
    memory_case("ELEMENT_WISE_MIN", "ELEMENT_WISE_MIN", {}, ATensor=T([n], 1e-40), BTensor=T([n], 1e-41),
                OutputTensor=T([n]))
    memory_case("CAST", "CAST", {}, InputTensor=T([n], 0.3), OutputTensor=T([n], type="FLOAT16"))
    memory_case("FILL_VALUE_SEQUENCE", "FILL_VALUE_SEQUENCE",
                {"ValueDataType": "FLOAT32", "ValueStart": 1e-9, "ValueDelta": 0.1}, OutputTensor=T([n]))
    for op in ("SUMMATION", "PRODUCT"):
        memory_case(f"CUMULATIVE_{op}", f"CUMULATIVE_{op}",
                    {"Axis": 0, "AxisDirection": "INCREASING", f"HasExclusive{op[:3].title() if op == 'SUMMATION' else 'Product'}": False},
                    InputTensor=T([n], 1e-40), OutputTensor=T([n]))
    for f in (None, "TANH", "SOFTMAX"):
        fused = {"FusedActivation": {"Type": "ACTIVATION_" + f}} if f else {}
        desc = {"TransA": "NONE", "TransB": "NONE", "Alpha": 1, "Beta": 0, **fused}
        memory_case(f"GEMM {f}", "GEMM", desc, ATensor=T([1, 1, 400, 8], 0.7), BTensor=T([1, 1, 8, 400], 0.7),
                    OutputTensor=T([1, 1, 400, 400]))
        memory_case(f"GEMM {f} broadcast", "GEMM", desc, ATensor=T([1, 1, 300, 600], [0.7]),
                    BTensor=T([1, 1, 600, 300], [0.7]), OutputTensor=T([1, 1, 300, 300]))
    conv = {"Mode": "CROSS_CORRELATION", "Direction": "FORWARD", "DimensionCount": 2, "Strides": [1, 1],
            "Dilations": [1, 1], "StartPadding": [0, 0], "EndPadding": [0, 0], "OutputPadding": [0, 0], "GroupCount": 1}
    memory_case("CONVOLUTION", "CONVOLUTION", conv, InputTensor=T([1, 4, 200, 200], 0.7), FilterTensor=T([4, 4, 3, 3], 0.3),
                OutputTensor=T([1, 4, 198, 198]))
    memory_case("CONVOLUTION of many weights", "CONVOLUTION", conv, InputTensor=T([1, 2, 1, n // 2], 0.7),
                FilterTensor=T([1, 2, 1, n // 2], 0.3), OutputTensor=T([1, 1, 1, 1]))
    for direction in ("FORWARD", "BACKWARD"):
        big, small = ([1, 1, 1, many], [1, 1, 1, 1])
        memory_case(f"CONVOLUTION {direction} broadcast", "CONVOLUTION",
                    {**conv, "Direction": direction,
                     **({"StartPadding": [0, many // 2], "EndPadding": [0, many - 1 - many // 2]} if direction == "BACKWARD" else {})},
                    InputTensor=T(big if direction == "FORWARD" else small, [0.7]), FilterTensor=T(big, [0.3]),
                    OutputTensor=T(small))
    h = 400
    rnn_desc = {"ActivationDescs": [{"Type": "ACTIVATION_TANH"}], "Direction": "FORWARD"}
    for name, data in (("", 0.01), (" broadcast", [0.01])):
        memory_case("RNN" + name, "RNN", rnn_desc, InputTensor=T([1, 2, 1, h], data), WeightTensor=T([1, 1, h, h], data),
                    RecurrenceTensor=T([1, 1, h, h], data), OutputSequenceTensor=T([2, 1, 1, h]))
        memory_case("LSTM" + name, "LSTM", LSTM, InputTensor=T([1, 2, 1, h], data), WeightTensor=T([1, 1, 4 * h, h], data),
                    RecurrenceTensor=T([1, 1, 4 * h, h], data), OutputSequenceTensor=T([2, 1, 1, h]))
        memory_case("GRU" + name, "GRU", {**GRU, "LinearBeforeReset": True}, InputTensor=T([1, 2, 1, h], data),
                    WeightTensor=T([1, 1, 3 * h, h], data), RecurrenceTensor=T([1, 1, 3 * h, h], data),
                    OutputSequenceTensor=T([2, 1, 1, h]))
    for name, size, data in (("", n // 4, 1e-40), (" broadcast", many, [1e-40])):
        memory_case("TOP_K1" + name, "TOP_K1", {"Axis": 1, "K": n // 8, "AxisDirection": "DECREASING"},
                    InputTensor=T([1, size], data), OutputValueTensor=T([1, n // 8]),
                    OutputIndexTensor=T([1, n // 8], type="UINT32"))
    memory_case("UPSAMPLE_2D of a row", "UPSAMPLE_2D", {"ScaleSize": {"Width": n, "Height": 1}, "InterpolationMode": "LINEAR"},
                InputTensor=T([1, 1, 1, 1], [0.7]), OutputTensor=T([1, 1, 1, n]))
    memory_case("SCATTER_ELEMENTS", "SCATTER_ELEMENTS", {"Axis": 1}, InputTensor=T([n, 1], 1),
                IndicesTensor=T([n, 1], 0, "UINT32"), UpdatesTensor=T([n, 1], 2), OutputTensor=T([n, 1]))
    memory_case("NONZERO_COORDINATES", "NONZERO_COORDINATES", {}, InputTensor=T([n], [1]),
                OutputCountTensor=T([1], type="UINT32"), OutputCoordinatesTensor=T([n, 1], type="UINT32"))
    memory_case("TILE", "TILE", {"Repeats": [4]}, InputTensor=T([n], 1), OutputTensor=T([4 * n]))
    memory_case("IDENTITY into gaps", "ELEMENT_WISE_IDENTITY", {}, InputTensor=T([n], 1),
                OutputTensor=T([n], strides=[4]))
    memory_case("INT8 printed", "ELEMENT_WISE_IDENTITY", {}, InputTensor=T([4 * n], -128, "INT8"),
                OutputTensor=T([4 * n], type="INT8"))


def peak_and_result(folder, *arguments):
    """The peak of the resident memory in bytes, which is not below this program's own."""
    with open(os.path.join(folder, "out"), "w+b") as out, open(os.path.join(folder, "err"), "w+b") as err:
        child = subprocess.Popen([GOLDML, *arguments], cwd=folder, stdout=out, stderr=err)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        err.seek(0)
        return usage.ru_maxrss * 1024, child.returncode, err.read().decode()


def check_memory():
    """Runs each case with a limit, doubled until it is not refused; a broadcast one only with the first. Fails if the
    peak of any of these calls is above 1.5 times the limit and 16 MiB."""
    failed = calls = 0
    with tempfile.TemporaryDirectory() as folder:
        floor = peak_and_result(folder, "list")[0] + (1 << 20)
    for c in MEMORY:
        broadcast = "broadcast" in c.name
        for way in (["run", "--backend", "cpu"], ["run", "--backend", "reference"], ["run", "--json"], ["check"], ["validate"]):
            with tempfile.TemporaryDirectory() as folder:
                c.write(folder)
                arguments = way + ["p.json" if "--json" in way else "w.json"]
                if way == ["check"]:
                    subprocess.run([GOLDML, "run", "w.json", "--output-dir", "o", "--max-work", str(2**63)], cwd=folder)
                    arguments += sum((["--actual", f"{o}=o/{o}.bin"] for o in c.outputs), [])
                elif way[0] == "run":
                    arguments += ["--output-dir", "p"]
                if way != ["validate"]:
                    arguments += ["--max-work", str(2**63)]
                limit, refused = 1 << 20, True
                while refused:
                    peak, status, errors = peak_and_result(folder, *arguments, "--max-memory", str(limit))
                    calls += 1
                    refused = status == 2 and ("M8" in errors or "M23" in errors)
                    bad_status = status not in (0, 3) and not refused
                    if peak > max(1.5 * limit + (16 << 20), floor) or bad_status or limit > 1 << 28:
                        print(f"{c.name}: {' '.join(way)} --max-memory {limit}: peak {peak}, status {status} {errors[:200]}")
                        failed += 1
                        break
                    if broadcast:
                        break
                    limit *= 2
    print(f"{calls} calls, {failed} failed")
    return failed


def check_work(ways, words):
    """Prints what a unit costs, and returns the number of cases in which it costs more than 2 ns, and of operators whose
    cases all cost less than 0.2."""
    print(f"{'nanoseconds per unit (seconds)':42}" + "".join(f"{way:>20}" for way in ways))
    failed, hardest = 0, {}
    for c in CASES:
        if words and not any(w in c.name for w in words):
            continue
        line = f"{c.name:42}"
        for way in ways:
            result = measure(c, way)
            if result is None:
                failed += 1
                break
            seconds, work = result
            failed += 1 if seconds > max(0.02, work * 2e-9) else 0
            if seconds > 0.02:
                hardest[way, c.type] = max(hardest.get((way, c.type), 0), seconds / work * 1e9)
            line += f"{seconds / work * 1e9:11.2f} ({seconds:.3f})"
        print(line, flush=True)
    for way in ways:
        of_way = sorted((cost, type) for (w, type), cost in hardest.items() if w == way)
        if of_way:
            print(f"{way}: an operator's hardest case takes {of_way[0][0]:.2f} ({of_way[0][1]}) to {of_way[-1][0]:.2f} ({of_way[-1][1]})")
        failed += sum(cost < 0.2 for cost, _ in of_way)
    return failed


def main():
    global GOLDML
    GOLDML, what, *words = sys.argv[1:]
    GOLDML = os.path.abspath(GOLDML)
    if what == "memory":
        memory_cases()
        MEMORY[:] = [c for c in MEMORY if not words or any(w in c.name for w in words)]
        return check_memory()
    ways = words.pop(0)[7:].split(",") if words and words[0].startswith("--ways=") else ["cpu", "reference", "check"]
    return check_work(ways, words)


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
