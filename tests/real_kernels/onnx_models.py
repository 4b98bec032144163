"""Models of one ONNX operator each: model(case) is the operator, its attributes, and the inputs in its order."""
import numpy as np

import layers

ACTIVATION, LAYER = "ACTIVATION_", "ELEMENT_WISE_"
_PLAIN = {
    "ACTIVATION_SOFTMAX": ("Softmax", dict(axis=-1)), "ACTIVATION_SOFTMAX1": ("Softmax", dict(axis=-1)), "ACTIVATION_SIGMOID": ("Sigmoid", {}), "ACTIVATION_TANH": ("Tanh", {}),
    "ACTIVATION_RELU": ("Relu", {}), "ACTIVATION_SOFTPLUS": ("Softplus", {}), "ACTIVATION_SOFTSIGN": ("Softsign", {}), "ACTIVATION_IDENTITY": ("Identity", {}),
    "ACTIVATION_HARD_SWISH": ("HardSwish", {}), "ACTIVATION_PARAMETERIZED_RELU": ("PRelu", {}), LAYER + "IDENTITY": ("Identity", {}), LAYER + "ABS": ("Abs", {}),
    LAYER + "NEGATE": ("Neg", {}), LAYER + "SIGN": ("Sign", {}), LAYER + "CEIL": ("Ceil", {}), LAYER + "FLOOR": ("Floor", {}), LAYER + "IS_NAN": ("IsNaN", {}),
    LAYER + "ADD": ("Add", {}), LAYER + "ADD1": ("Add", {}), LAYER + "SUBTRACT": ("Sub", {}), LAYER + "MULTIPLY": ("Mul", {}), LAYER + "DIVIDE": ("Div", {}),
    "ACTIVATION_LOG_SOFTMAX": ("LogSoftmax", dict(axis=-1)), "ACTIVATION_LOG_SOFTMAX1": ("LogSoftmax", dict(axis=-1)),
    "ACTIVATION_HARDMAX": ("Hardmax", dict(axis=-1)), "ACTIVATION_HARDMAX1": ("Hardmax", dict(axis=-1)), "ACTIVATION_GELU": ("Gelu", {}),
    LAYER + "RECIP": ("Reciprocal", {}), LAYER + "POW": ("Pow", {}), LAYER + "MODULUS_TRUNCATE": ("Mod", dict(fmod=1)),
    **{LAYER + k: (k.capitalize(), {}) for k in ("ACOS", "ASIN", "ATAN", "COS", "EXP", "LOG", "SIN", "SQRT", "TAN", "ERF", "SINH", "COSH", "TANH", "ASINH",
                                                 "ACOSH", "ATANH")},
    LAYER + "MIN": ("Min", {}), LAYER + "MAX": ("Max", {}), LAYER + "LOGICAL_EQUALS": ("Equal", {}), LAYER + "LOGICAL_GREATER_THAN": ("Greater", {}),
    LAYER + "LOGICAL_LESS_THAN": ("Less", {}), LAYER + "LOGICAL_GREATER_THAN_OR_EQUAL": ("GreaterOrEqual", {}), LAYER + "LOGICAL_LESS_THAN_OR_EQUAL": ("LessOrEqual", {}),
    LAYER + "BIT_AND": ("BitwiseAnd", {}), LAYER + "BIT_OR": ("BitwiseOr", {}), LAYER + "BIT_XOR": ("BitwiseXor", {}), LAYER + "BIT_NOT": ("BitwiseNot", {}),
    LAYER + "BIT_SHIFT_LEFT": ("BitShift", dict(direction="LEFT")), LAYER + "BIT_SHIFT_RIGHT": ("BitShift", dict(direction="RIGHT"))}
_REDUCE = {"SUM": "ReduceSum", "AVERAGE": "ReduceMean", "L1": "ReduceL1", "L2": "ReduceL2", "SUM_SQUARE": "ReduceSumSquare", "LOG_SUM": "ReduceLogSum",
           "LOG_SUM_EXP": "ReduceLogSumExp", "MULTIPLY": "ReduceProd", "MAX": "ReduceMax", "MIN": "ReduceMin"}

_TRUTH = ("IsNaN", "IsInf", "Equal", "Greater", "Less", "GreaterOrEqual", "LessOrEqual", "And", "Or", "Xor", "Not")
_INDICES = ("ArgMax", "ArgMin", "TopK", "NonZero", "MaxPool")


def model(case):
    """(operator, attributes, inputs) or None; an input that is None is omitted."""
    a, x, name = case.attributes, case.make(), case.operator
    ints = lambda *values: np.array(values, np.int64)
    if name in _PLAIN:
        return (*_PLAIN[name], x)
    if name.removeprefix(ACTIVATION) in ("ELU", "CELU", "LEAKY_RELU", "HARD_SIGMOID", "SCALED_ELU", "THRESHOLDED_RELU", "SHRINK") and name.startswith(ACTIVATION):
        operator, names = {"ELU": ("Elu", dict(Alpha="alpha")), "CELU": ("Celu", dict(Alpha="alpha")), "LEAKY_RELU": ("LeakyRelu", dict(Alpha="alpha")),
                           "HARD_SIGMOID": ("HardSigmoid", dict(Alpha="alpha", Beta="beta")), "SCALED_ELU": ("Selu", dict(Alpha="alpha", Gamma="gamma")),
                           "THRESHOLDED_RELU": ("ThresholdedRelu", dict(Alpha="alpha")), "SHRINK": ("Shrink", dict(Bias="bias", Threshold="lambd"))}[name.removeprefix(ACTIVATION)]
        return operator, {names[k]: v for k, v in a.items()}, x
    if name in (LAYER + "CLIP", LAYER + "CLIP1"):
        return "Clip", {}, [x[0], np.asarray(a["Min"], x[0].dtype), np.asarray(a["Max"], x[0].dtype)]
    if name == LAYER + "CONSTANT_POW":
        return "Pow", {}, [x[0], np.asarray(a["Exponent"], x[0].dtype)]
    if name == LAYER + "THRESHOLD":
        return "Clip", {}, [x[0], np.asarray(a["Min"], x[0].dtype)]
    if name == LAYER + "ROUND":
        return ("Round", {}, x) if a["RoundingMode"].startswith("HALVES") else None
    if name == LAYER + "IS_INFINITY":
        return "IsInf", dict(detect_negative=int(a["InfinityMode"] != "POSITIVE"), detect_positive=int(a["InfinityMode"] != "NEGATIVE")), x
    if name == LAYER + "IF":
        return "Where", {}, [x[0].astype(bool), *x[1:]]
    if name.startswith(LAYER + "LOGICAL_"):
        return name.removeprefix(LAYER + "LOGICAL_").capitalize(), {}, [v.astype(bool) for v in x]
    if name == "GEMM":
        if x[2] is None and x[0].shape[1] == 1:
            return "MatMul", {}, x[:2]
        if x[0].shape[1] > 1:
            return None
        return "Gemm", dict(alpha=a.get("Alpha", 1.0), beta=a.get("Beta", 1.0), transA=int(a.get("TransA") == "TRANSPOSE"), transB=int(a.get("TransB") == "TRANSPOSE")), \
            [v[0, 0] for v in x]
    if name == "CONVOLUTION":
        pads = [*a["StartPadding"], *a["EndPadding"]]
        return ("ConvTranspose" if a.get("Direction") == "BACKWARD" else "Conv"), dict(strides=a["Strides"], pads=pads, group=a["GroupCount"]), \
            [x[0], x[1], None if x[2] is None else x[2].flatten()]
    if name == "REDUCE":
        if a["Function"].startswith("ARG"):
            return "Arg" + a["Function"][3:].capitalize(), dict(axis=3, keepdims=1), x
        return _REDUCE[a["Function"]], dict(keepdims=1), [x[0], ints(*a["Axes"])]
    if name in ("ARGMIN", "ARGMAX"):
        return "Arg" + name[3:].capitalize(), dict(axis=a["Axes"][0], keepdims=1, select_last_index=int(a.get("AxisDirection") == "DECREASING")), x
    if name == "CUMULATIVE_SUMMATION":
        return "CumSum", {}, [x[0], np.array(a["Axis"], np.int64)]
    if name in ("RNN", "LSTM"):
        both = 1 + (a["Direction"] == "BIDIRECTIONAL")
        more = [x[5][0]] if name == "LSTM" else []
        w, r = x[1][0], x[2][0]
        return name, dict(hidden_size=r.shape[2], direction=a["Direction"].lower() if both == 2 else "forward"), [x[0][0], w, r, x[3][0, 0], None, x[4][0], *more]
    if name in ("PADDING", "PADDING1"):
        mode = {"CONSTANT": "constant", "EDGE": "edge", "REFLECTION": "reflect", "WRAP": "wrap"}.get(a["PaddingMode"])
        return None if mode is None else ("Pad", dict(mode=mode), [x[0], ints(*a["StartPadding"], *a["EndPadding"]), np.asarray(a["PaddingValue"], x[0].dtype)])
    if name == "TILE":
        return "Tile", {}, [x[0], ints(*a["Repeats"])]
    if name.startswith("SPACE_TO_DEPTH"):
        return None if a.get("Order") == "COLUMN_ROW_DEPTH" else ("SpaceToDepth", dict(blocksize=a["BlockSize"]), x)
    if name.startswith("DEPTH_TO_SPACE"):
        return "DepthToSpace", dict(blocksize=a["BlockSize"], mode="CRD" if a.get("Order") == "COLUMN_ROW_DEPTH" else "DCR"), x
    if name in ("SLICE", "SLICE1"):
        if name == "SLICE":
            starts, strides, sizes = a["Offsets"], a["Strides"], [(s - 1) * st + 1 for s, st in zip(a["Sizes"], a["Strides"])]
        else:
            starts, strides, sizes = a["InputWindowOffsets"], a["InputWindowStrides"], a["InputWindowSizes"]
        return "Slice", {}, [x[0], ints(*starts), ints(*(o + s for o, s in zip(starts, sizes))), ints(0, 1, 2, 3), ints(*strides)]
    if name == "SPLIT":
        return "Split", dict(axis=a["Axis"]), [x[0], ints(*(o[1][a["Axis"]] for o in case.flat_outputs()))]
    if name == "JOIN":
        return "Concat", dict(axis=a["Axis"]), x[0]
    if name == "GATHER":
        return "Gather", dict(axis=0), [x[0], x[1][0]]
    if name == "GATHER_ELEMENTS":
        return "GatherElements", dict(axis=a["Axis"]), x
    if name in ("GATHER_ND", "GATHER_ND1"):
        return "GatherND", dict(batch_dims=a.get("BatchDimensionCount", 0)), x
    if name == "SCATTER_ELEMENTS":
        return "ScatterElements", dict(axis=a["Axis"]), x
    if name == "SCATTER_ND":
        return "ScatterND", {}, x
    if name in ("TOP_K", "TOP_K1"):
        return "TopK", dict(axis=a["Axis"], largest=int(a.get("AxisDirection") != "INCREASING"), sorted=1), [x[0], ints(a["K"])]
    if name == "ONE_HOT":
        return "OneHot", dict(axis=-1), [x[0][:, 0], np.array(case.outputs[0][1][1], np.int64), x[1][0]]
    if name == "REVERSE_SUBSEQUENCES":
        return "ReverseSequence", dict(batch_axis=0, time_axis=1), [x[0], x[1][:, 0].astype(np.int64)]
    if name == "MAX_UNPOOLING":
        return "MaxUnpool", dict(kernel_shape=[2, 2], strides=[2, 2]), [x[0], x[1].astype(np.int64)]
    if name == "UPSAMPLE_2D":
        w, h = a["ScaleSize"]
        nearest = a["InterpolationMode"].startswith("NEAREST")
        mode = dict(mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor") if nearest else dict(mode="linear", coordinate_transformation_mode="half_pixel")
        return "Resize", mode, [x[0], None, np.array([1, 1, h, w], np.float32)]
    if name == "NONZERO_COORDINATES":
        return "NonZero", {}, x
    if name == "DIAGONAL_MATRIX1":
        upper = a["DiagonalFillBegin"] == -2**31
        return "Trilu", dict(upper=int(upper)), [x[0], np.array(a["DiagonalFillEnd"] if upper else a["DiagonalFillBegin"] - 1, np.int64)]
    if name == "FILL_VALUE_SEQUENCE":
        start, delta = (np.asarray(a[k], case.outputs[0][0]) for k in ("ValueStart", "ValueDelta"))
        return "Range", {}, [start, np.asarray(start + delta * case.outputs[0][0](999.5), case.outputs[0][0]), delta]
    if name == "CAST":
        return "Cast", dict(to=np.dtype(case.outputs[0][0])), x
    return layers.onnx_model(case)


def build(case, opset=21):
    """A serialised model with the case's call, and what to feed it; or None. The session infers the shapes of its outputs."""
    import onnx
    from onnx import TensorProto, helper
    found = model(case)
    if found is None:
        return None
    operator, attributes, inputs = found
    types = getattr(helper, "np_dtype_to_tensor_dtype", lambda d: onnx.mapping.NP_TYPE_TO_TENSOR_TYPE[d])
    if "to" in attributes:
        attributes = dict(to=types(attributes["to"]))
    names = ["" if v is None else f"x{i}" for i, v in enumerate(inputs)]
    count = len(case.flat_outputs()) if operator not in ("NonZero",) else 1
    domain, _, operator = operator.rpartition(".")
    node = helper.make_node(operator, names, [f"y{i}" for i in range(count)], domain=domain, **attributes)
    # What a session needs while it is made, as axes and sizes, stands in the model; data are fed.
    given = [(n, v) for n, v in zip(names, inputs) if n]
    fixed = {n: v for n, v in given[1:] if v.dtype == np.int64 or v.ndim == 0 or operator == "Resize"} if operator not in ("GatherElements", "GatherND", "Gather") else {}
    info = lambda n, v: helper.make_tensor_value_info(n, types(v.dtype), list(v.shape))
    of = lambda dtype: np.bool_ if operator in _TRUTH else np.int64 if operator in _INDICES and dtype not in (np.float32, np.float16) else dtype
    out = [helper.make_tensor_value_info(f"y{i}", types(np.dtype(of(o[0]))), None) for i, o in enumerate(case.flat_outputs()[:count])]
    graph = helper.make_graph([node], "case", [info(n, v) for n, v in given if n not in fixed], out,
                              [helper.make_tensor(n, types(v.dtype), list(v.shape), np.ascontiguousarray(v).tobytes(), raw=True) for n, v in fixed.items()])
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset), helper.make_opsetid("com.microsoft", 1)], ir_version=10)
    return made.SerializeToString(), {n: np.ascontiguousarray(v) for n, v in given if n not in fixed}


def compute(case):
    import onnxruntime
    built = build(case)
    if built is None:
        return
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(built[0], options, providers=["CPUExecutionProvider"])
    y = session.run(None, built[1])
    if case.operator == "NONZERO_COORDINATES":
        found = y[0].T
        y = [np.array([len(found)]), np.pad(found, ((0, case.flat_outputs()[1][1][0] - len(found)), (0, 0)))]
    if case.operator in ("RNN", "LSTM", "GRU"):
        y = [y[0], *(v[None] for v in y[1:])]
    yield "", y
