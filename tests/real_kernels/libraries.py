"""The libraries: each computes the cases that it has an operation for, in each of its ways, as plain calls of its interface.

A library is a generator function of a case that yields (way, outputs). reason() is why it is not here.
"""
import importlib
import os

import numpy as np

import layers

ACTIVATION, LAYER = "ACTIVATION_", "ELEMENT_WISE_"


def _slices(a):
    """Of SLICE and SLICE1, whose Sizes are those of the output and of the window."""
    if "Sizes" in a:
        return tuple(slice(o, o + (s - 1) * st + 1, st) for o, s, st in zip(a["Offsets"], a["Sizes"], a["Strides"]))
    return tuple(slice(o, o + s, st) for o, s, st in zip(a["InputWindowOffsets"], a["InputWindowSizes"], a["InputWindowStrides"]))


def _triangle(a):
    """Of DIAGONAL_MATRIX1: ('triu', k) or ('tril', k)."""
    return ("triu", a["DiagonalFillEnd"]) if a["DiagonalFillBegin"] == -2**31 else ("tril", a["DiagonalFillBegin"] - 1)


PAD_MODES = {"CONSTANT": "constant", "EDGE": "edge", "REFLECTION": "reflect", "SYMMETRIC": "symmetric", "WRAP": "wrap"}
COMPARISONS = {"EQUALS": "equal", "GREATER_THAN": "greater", "LESS_THAN": "less", "GREATER_THAN_OR_EQUAL": "greater_equal",
               "LESS_THAN_OR_EQUAL": "less_equal"}

# In NumPy and jax.numpy.
NAMES_OF_FUNCTIONS = {"ACOS": "arccos", "ASIN": "arcsin", "ATAN": "arctan", "COS": "cos", "EXP": "exp", "LOG": "log", "SIN": "sin", "SQRT": "sqrt",
                      "TAN": "tan", "SINH": "sinh", "COSH": "cosh", "TANH": "tanh", "ASINH": "arcsinh", "ACOSH": "arccosh", "ATANH": "arctanh"}


def array_functions(xp):
    """The operators that NumPy and jax.numpy name alike: f(inputs, attributes, case) gives an output or a list of them."""

    def gemm(x, a, case):
        left, right = (x[i].swapaxes(-1, -2) if a.get(f"Trans{'AB'[i]}") == "TRANSPOSE" else x[i] for i in (0, 1))
        y = xp.matmul(left, right)
        scaled = lambda value, name: value if a.get(name, 1) == 1 else value * value.dtype.type(a[name])
        return scaled(y, "Alpha") if x[2] is None else scaled(y, "Alpha") + scaled(x[2], "Beta")

    def reduce(x, a, case):
        f, axis = a["Function"], tuple(a["Axes"])
        v = x[0]
        if f.startswith("ARG"):
            return getattr(xp, f.lower())(v, axis=axis[0], keepdims=True)
        return {"SUM": lambda: xp.sum(v, axis, keepdims=True), "AVERAGE": lambda: xp.mean(v, axis, keepdims=True),
                "L1": lambda: xp.sum(xp.abs(v), axis, keepdims=True), "L2": lambda: xp.sqrt(xp.sum(v * v, axis, keepdims=True)),
                "SUM_SQUARE": lambda: xp.sum(v * v, axis, keepdims=True), "LOG_SUM": lambda: xp.log(xp.sum(v, axis, keepdims=True)),
                "LOG_SUM_EXP": lambda: xp.log(xp.sum(xp.exp(v - v.max(axis, keepdims=True)), axis, keepdims=True)) + v.max(axis, keepdims=True),
                "MULTIPLY": lambda: xp.prod(v, axis, keepdims=True), "MAX": lambda: xp.max(v, axis, keepdims=True),
                "MIN": lambda: xp.min(v, axis, keepdims=True)}[f]()

    def softmax(x, a, case):
        e = xp.exp(x[0] - x[0].max(-1, keepdims=True))
        return e / e.sum(-1, keepdims=True)

    def log_softmax(x, a, case):
        v = x[0] - x[0].max(-1, keepdims=True)
        return v - xp.log(xp.sum(xp.exp(v), -1, keepdims=True))

    def hardmax(x, a, case):
        return (xp.arange(x[0].shape[-1]) == xp.argmax(x[0], -1, keepdims=True)).astype(x[0].dtype)

    def depth(x, a, case):
        b, v = a["BlockSize"], x[0]
        n, c, h, w = v.shape
        rows_first = a.get("Order", "DEPTH_COLUMN_ROW") == "DEPTH_COLUMN_ROW"
        if case.operator.startswith("SPACE"):
            split = v.reshape(n, c, h // b, b, w // b, b)
            return split.transpose((0, 3, 5, 1, 2, 4) if rows_first else (0, 1, 3, 5, 2, 4)).reshape(n, c * b * b, h // b, w // b)
        split = v.reshape((n, b, b, c // b // b, h, w) if rows_first else (n, c // b // b, b, b, h, w))
        return split.transpose((0, 3, 4, 1, 5, 2) if rows_first else (0, 1, 4, 2, 5, 3)).reshape(n, c // b // b, h * b, w * b)

    def nonzero(x, a, case):
        found = np.asarray(xp.argwhere(x[0]))
        rest = case.flat_outputs()[1][1][0] - len(found)
        return [np.array([len(found)]), np.pad(found, ((0, rest), (0, 0)))]

    t = {
        "GEMM": gemm, "REDUCE": reduce, "ACTIVATION_SOFTMAX": softmax, "ACTIVATION_SOFTMAX1": softmax, "ACTIVATION_LOG_SOFTMAX": log_softmax, "ACTIVATION_LOG_SOFTMAX1": log_softmax,
        "ACTIVATION_HARDMAX": hardmax, "ACTIVATION_HARDMAX1": hardmax,
        "CUMULATIVE_SUMMATION": lambda x, a, case: xp.cumsum(x[0], a["Axis"], dtype=x[0].dtype),
        "CUMULATIVE_PRODUCT": lambda x, a, case: xp.cumprod(x[0], a["Axis"], dtype=x[0].dtype),
        "ARGMIN": lambda x, a, case: None if a["AxisDirection"] == "DECREASING" else xp.argmin(x[0], a["Axes"][0], keepdims=True),
        "ARGMAX": lambda x, a, case: None if a.get("AxisDirection") == "DECREASING" else xp.argmax(x[0], a["Axes"][0], keepdims=True),
        "PADDING": lambda x, a, case: xp.pad(x[0], list(zip(a["StartPadding"], a["EndPadding"])), mode=PAD_MODES[a["PaddingMode"]],
                                             **({"constant_values": a["PaddingValue"]} if a["PaddingMode"] == "CONSTANT" else {})),
        "TILE": lambda x, a, case: xp.tile(x[0], a["Repeats"]),
        "SPACE_TO_DEPTH": depth, "DEPTH_TO_SPACE": depth,
        "SLICE": lambda x, a, case: x[0][_slices(a)],
        "SPLIT": lambda x, a, case: xp.split(x[0], np.cumsum([o[1][a["Axis"]] for o in case.flat_outputs()])[:-1].tolist(), a["Axis"]),
        "JOIN": lambda x, a, case: xp.concatenate(x[0], a["Axis"]),
        "GATHER": lambda x, a, case: xp.take(x[0], x[1][0], axis=0),
        "GATHER_ELEMENTS": lambda x, a, case: xp.take_along_axis(x[0], x[1], a["Axis"]),
        "GATHER_ND": lambda x, a, case: x[0][x[1][0][:, 0], x[1][0][:, 1]][None],
        "GATHER_ND1": lambda x, a, case: xp.stack([row[i[:, 0]] for row, i in zip(x[0], x[1])]),
        "NONZERO_COORDINATES": nonzero,
        "ONE_HOT": lambda x, a, case: xp.eye(case.outputs[0][1][1], dtype=x[1].dtype)[x[0][:, 0]],
        "DIAGONAL_MATRIX": lambda x, a, case: xp.eye(*case.outputs[0][1], k=a["Offset"], dtype=case.outputs[0][0]) * case.outputs[0][0](a["Value"]),
        "DIAGONAL_MATRIX1": lambda x, a, case: getattr(xp, _triangle(a)[0])(x[0], _triangle(a)[1]),
        "FILL_VALUE_CONSTANT": lambda x, a, case: xp.full(case.outputs[0][1], a["Value"], case.outputs[0][0]),
        "FILL_VALUE_SEQUENCE": lambda x, a, case: xp.arange(1000, dtype=case.outputs[0][0]) * a["ValueDelta"] + a["ValueStart"],
        "CAST": lambda x, a, case: x[0].astype(case.outputs[0][0]),
    }
    t.update({name + "1": t[name] for name in ("PADDING", "SPACE_TO_DEPTH", "DEPTH_TO_SPACE", "SLICE")})
    one = {"IDENTITY": lambda v, a: xp.array(v, copy=True), "ABS": lambda v, a: xp.abs(v), "NEGATE": lambda v, a: -v, "SIGN": lambda v, a: xp.sign(v),
           "CEIL": lambda v, a: xp.ceil(v), "FLOOR": lambda v, a: xp.floor(v), "CLIP": lambda v, a: xp.clip(v, v.dtype.type(a["Min"]), v.dtype.type(a["Max"])),
           "CLIP1": lambda v, a: xp.clip(v, a["Min"], a["Max"]), "THRESHOLD": lambda v, a: xp.maximum(v, v.dtype.type(a["Min"])),
           "ROUND": lambda v, a: xp.round(v) if a["RoundingMode"].startswith("HALVES") else xp.trunc(v), "IS_NAN": lambda v, a: xp.isnan(v),
           "IS_INFINITY": lambda v, a: {"EITHER": xp.isinf, "POSITIVE": xp.isposinf, "NEGATIVE": xp.isneginf}[a["InfinityMode"]](v),
           "LOGICAL_NOT": lambda v, a: xp.logical_not(v), "BIT_NOT": lambda v, a: xp.invert(v),
           "RECIP": lambda v, a: v.dtype.type(1) / v, "CONSTANT_POW": lambda v, a: xp.power(v, v.dtype.type(a["Exponent"])),
           **{k: lambda v, a, f=getattr(xp, n): f(v) for k, n in NAMES_OF_FUNCTIONS.items()}}
    if hasattr(xp, "bitwise_count"):
        one["BIT_COUNT"] = lambda v, a: xp.bitwise_count(v)
    two = {"ADD": xp.add, "ADD1": xp.add, "SUBTRACT": xp.subtract, "MULTIPLY": xp.multiply, "MIN": xp.minimum, "MAX": xp.maximum,
           "POW": xp.power, "MODULUS_TRUNCATE": xp.fmod, "MODULUS_FLOOR": xp.mod, "ATAN_YX": xp.arctan2,
           "MEAN": lambda u, v: (u + v) * u.dtype.type(0.5), "DIFFERENCE_SQUARE": lambda u, v: xp.square(u - v),
           "DIVIDE": lambda u, v: xp.divide(u, v) if u.dtype.kind == "f" else xp.trunc(u / v).astype(u.dtype),
           **{"LOGICAL_" + k: getattr(xp, v) for k, v in COMPARISONS.items()}, **{"LOGICAL_" + k: getattr(xp, "logical_" + k.lower()) for k in ("AND", "OR", "XOR")},
           **{"BIT_" + k: getattr(xp, "bitwise_" + k.lower()) for k in ("AND", "OR", "XOR")},
           "BIT_SHIFT_LEFT": xp.left_shift, "BIT_SHIFT_RIGHT": xp.right_shift}
    t.update({LAYER + k: lambda x, a, case, f=f: f(x[0], a) for k, f in one.items()})
    t.update({LAYER + k: lambda x, a, case, f=f: f(x[0], x[1]) for k, f in two.items()})
    t[LAYER + "IF"] = lambda x, a, case: xp.where(x[0] != 0, x[1], x[2])
    # Activations of one operation; a library's own kernels for the rest are in its section.
    t.update({ACTIVATION + "IDENTITY": t[LAYER + "IDENTITY"], ACTIVATION + "RELU": lambda x, a, case: xp.maximum(x[0], x[0].dtype.type(0)),
              ACTIVATION + "TANH": lambda x, a, case: xp.tanh(x[0]),
              ACTIVATION + "LINEAR": lambda x, a, case: x[0].dtype.type(a["Alpha"]) * x[0] + x[0].dtype.type(a["Beta"]),
              ACTIVATION + "SCALED_TANH": lambda x, a, case: x[0].dtype.type(a["Alpha"]) * xp.tanh(x[0].dtype.type(a["Beta"]) * x[0])})
    return t


def the_numpy(case):
    functions = array_functions(np)

    def scatter_elements(x, a, case):
        y = x[0].copy()
        np.put_along_axis(y, x[1], x[2], a["Axis"])
        return y

    def scatter_nd(x, a, case):
        y = x[0].copy()
        y[x[1][:, 0]] = x[2]
        return y

    def slice_grad(x, a, case):
        y = np.zeros(case.outputs[0][1], case.outputs[0][0])
        y[_slices(a)] = x[0]
        return y

    functions |= {"SCATTER_ELEMENTS": scatter_elements, "SCATTER_ND": scatter_nd, "SLICE_GRAD": slice_grad}
    f = functions.get(case.operator)
    if f is not None:
        with np.errstate(all="ignore"):
            yield "", f(case.make(), case.attributes, case)


# --- PyTorch ---------------------------------------------------------------------------------------------------------------------


def _torch_functions(torch):
    F = torch.nn.functional

    def gemm(x, a, case):
        left, right = (x[i].swapaxes(-1, -2) if a.get(f"Trans{'AB'[i]}") == "TRANSPOSE" else x[i] for i in (0, 1))
        if x[2] is None:
            return left @ right
        c = x[2]
        if "bias" in case.name:
            return torch.addmm(c[0, 0, 0].contiguous(), left[0, 0], right[0, 0])[None, None]
        flat = lambda v: v.reshape(-1, *v.shape[-2:])
        return torch.baddbmm(flat(c), flat(left), flat(right), beta=a.get("Beta", 1), alpha=a.get("Alpha", 1)).reshape(c.shape)

    def convolution(x, a, case, layout=None):
        i, w = (v if layout is None else v.to(memory_format=layout) for v in x[:2])
        bias = None if x[2] is None else x[2].flatten()
        options = dict(stride=a["Strides"], padding=a["StartPadding"], groups=a["GroupCount"])
        return (F.conv_transpose2d if a.get("Direction") == "BACKWARD" else F.conv2d)(i, w, bias, **options).contiguous()

    def reduce(x, a, case):
        v, f = x[0], a["Function"]
        axis = a["Axes"][0]
        return {"SUM": lambda: v.sum(axis, keepdim=True), "AVERAGE": lambda: v.mean(axis, keepdim=True), "L1": lambda: torch.linalg.vector_norm(v, 1, axis, keepdim=True),
                "L2": lambda: torch.linalg.vector_norm(v, 2, axis, keepdim=True), "SUM_SQUARE": lambda: (v * v).sum(axis, keepdim=True),
                "LOG_SUM": lambda: v.sum(axis, keepdim=True).log(), "LOG_SUM_EXP": lambda: torch.logsumexp(v, axis, keepdim=True), "MULTIPLY": lambda: v.prod(axis, keepdim=True),
                "MAX": lambda: v.amax(axis, keepdim=True), "MIN": lambda: v.amin(axis, keepdim=True), "ARGMAX": lambda: v.argmax(axis, keepdim=True),
                "ARGMIN": lambda: v.argmin(axis, keepdim=True)}[f]()

    def recurrent(x, a, case):
        lstm = case.operator == "LSTM"
        both = a["Direction"] == "BIDIRECTIONAL"
        i, w, r, b, h = x[:5]
        state = r.shape[3]
        layer = getattr(torch.nn, case.operator)(i.shape[3], state, 1, bidirectional=both).to(i.device).to(i.dtype)
        order = [0, 2, 3, 1] if lstm else [0]  # DirectML: input, output, forget, cell; PyTorch: input, forget, cell, output
        gates = lambda v: torch.cat([v[g * state:(g + 1) * state] for g in order])
        with torch.no_grad():
            for d, suffix in ((0, ""), (1, "_reverse"))[:1 + both]:
                half = b.shape[3] // 2
                for name, value in (("weight_ih", w[0, d]), ("weight_hh", r[0, d]), ("bias_ih", b[0, 0, d, :half]), ("bias_hh", b[0, 0, d, half:])):
                    getattr(layer, f"{name}_l0{suffix}").copy_(gates(value))
            y, end = layer(i[0], (h[0], x[5][0]) if lstm else h[0])
        steps, batch = y.shape[:2]
        return [y.reshape(steps, batch, 1 + both, state).transpose(1, 2), *([e[None] for e in end] if lstm else [end[None]])]

    def pad(x, a, case):
        mode = {"CONSTANT": "constant", "EDGE": "replicate", "REFLECTION": "reflect", "WRAP": "circular"}.get(a["PaddingMode"])
        s, e = a["StartPadding"], a["EndPadding"]
        constant = dict(value=float(a["PaddingValue"])) if mode == "constant" else {}
        return None if mode is None else F.pad(x[0], (s[3], e[3], s[2], e[2]), mode, **constant)

    def gradient(x, of):
        v = x[0].clone().requires_grad_(True)
        of(v).backward(x[1])
        return v.grad

    def top_k(x, a, case):
        return list(torch.topk(x[0], a["K"], a["Axis"], largest=a.get("AxisDirection", "DECREASING") == "DECREASING"))

    def slice_grad(x, a, case):
        y = torch.zeros(case.outputs[0][1], dtype=x[0].dtype, device=x[0].device)
        y[_slices(a)] = x[0]
        return y

    def nonzero(x, a, case):
        found = torch.nonzero(x[0])
        return [torch.tensor([len(found)]), F.pad(found, (0, 0, 0, case.flat_outputs()[1][1][0] - len(found)))]

    def scatter_nd(x, a, case):
        return x[0].clone().index_put_((x[1][:, 0],), x[2])

    def upsample(x, a, case):
        mode = {} if a["InterpolationMode"].startswith("NEAREST") else dict(mode="bilinear", align_corners=False)
        return F.interpolate(x[0], scale_factor=(a["ScaleSize"][1], a["ScaleSize"][0]), **mode)

    def shuffle(f):
        return lambda x, a, case: f(x[0], a["BlockSize"]) if a.get("Order") == "COLUMN_ROW_DEPTH" else None

    t = {
        "GEMM": gemm, "CONVOLUTION": convolution, "REDUCE": reduce, "RNN": recurrent, "LSTM": recurrent,
        "ACTIVATION_SOFTMAX": lambda x, a, case: torch.softmax(x[0], -1), "ACTIVATION_SOFTMAX1": lambda x, a, case: torch.softmax(x[0], -1),
        **dict.fromkeys(("ACTIVATION_LOG_SOFTMAX", "ACTIVATION_LOG_SOFTMAX1"), lambda x, a, case: torch.log_softmax(x[0], -1)),
        **dict.fromkeys(("ACTIVATION_HARDMAX", "ACTIVATION_HARDMAX1"),
                        lambda x, a, case: F.one_hot(torch.argmax(x[0], -1), x[0].shape[-1]).to(x[0].dtype)),
        "CUMULATIVE_SUMMATION": lambda x, a, case: torch.cumsum(x[0], a["Axis"], dtype=x[0].dtype),
        "CUMULATIVE_PRODUCT": lambda x, a, case: torch.cumprod(x[0], a["Axis"], dtype=x[0].dtype),
        "ARGMIN": lambda x, a, case: None if a["AxisDirection"] == "DECREASING" else torch.argmin(x[0], a["Axes"][0], keepdim=True),
        "ARGMAX": lambda x, a, case: None if a.get("AxisDirection") == "DECREASING" else torch.argmax(x[0], a["Axes"][0], keepdim=True),
        "UPSAMPLE_2D": upsample, "PADDING": pad, "PADDING1": pad, "TILE": lambda x, a, case: x[0].repeat(a["Repeats"]),
        "SPACE_TO_DEPTH1": shuffle(F.pixel_unshuffle), "DEPTH_TO_SPACE1": shuffle(F.pixel_shuffle),
        "SLICE": lambda x, a, case: x[0][_slices(a)], "SLICE1": lambda x, a, case: x[0][_slices(a)], "SLICE_GRAD": slice_grad,
        "SPLIT": lambda x, a, case: list(torch.split(x[0], [o[1][a["Axis"]] for o in case.flat_outputs()], a["Axis"])),
        "JOIN": lambda x, a, case: torch.cat(x[0], a["Axis"]), "GATHER": lambda x, a, case: torch.index_select(x[0], 0, x[1][0]),
        "GATHER_ELEMENTS": lambda x, a, case: torch.gather(x[0], a["Axis"], x[1]),
        "GATHER_ND": lambda x, a, case: x[0][x[1][0][:, 0], x[1][0][:, 1]][None],
        "GATHER_ND1": lambda x, a, case: torch.gather(x[0], 1, x[1].expand(-1, -1, x[0].shape[2])),
        "SCATTER_ELEMENTS": lambda x, a, case: torch.scatter(x[0], a["Axis"], x[1], x[2]), "SCATTER_ND": scatter_nd,
        "TOP_K": top_k, "TOP_K1": top_k, "NONZERO_COORDINATES": nonzero,
        "ONE_HOT": lambda x, a, case: F.one_hot(x[0][:, 0], case.outputs[0][1][1]).to(x[1].dtype),
        "MAX_UNPOOLING": lambda x, a, case: F.max_unpool2d(x[0], x[1].to(torch.int64), 2),
        "DIAGONAL_MATRIX1": lambda x, a, case: getattr(torch, _triangle(a)[0])(x[0], _triangle(a)[1]),
        "CAST": lambda x, a, case: x[0].to(_torch_type(torch, case.outputs[0][0])),
        LAYER + "IF": lambda x, a, case: torch.where(x[0] != 0, x[1], x[2]),
        LAYER + "CLIP_GRAD": lambda x, a, case: gradient(x, lambda v: torch.clamp(v, float(a["Min"]), float(a["Max"]))),
        ACTIVATION + "RELU_GRAD": lambda x, a, case: gradient(x, torch.relu),
        ACTIVATION + "PARAMETERIZED_RELU": lambda x, a, case: F.prelu(x[0].reshape(1, -1), x[1].flatten()).reshape(x[0].shape)}
    t[LAYER + "CLIP_GRAD1"] = t[LAYER + "CLIP_GRAD"]
    fills = {"DIAGONAL_MATRIX": lambda o, a, device: torch.diag_embed(torch.full((o[1][0] - a["Offset"],), a["Value"], device=device, dtype=_torch_type(torch, o[0])), a["Offset"]),
             "FILL_VALUE_CONSTANT": lambda o, a, device: torch.full(o[1], float(a["Value"]), device=device, dtype=_torch_type(torch, o[0])),
             "FILL_VALUE_SEQUENCE": lambda o, a, device: torch.arange(1000, device=device, dtype=_torch_type(torch, o[0])) * float(a["ValueDelta"]) + float(a["ValueStart"])}
    one = {"IDENTITY": lambda v, a: v.clone(), "ABS": lambda v, a: v.abs(), "NEGATE": lambda v, a: -v, "SIGN": lambda v, a: v.sign(), "CEIL": lambda v, a: v.ceil(),
           "FLOOR": lambda v, a: v.floor(), "CLIP": lambda v, a: v.clamp(float(a["Min"]), float(a["Max"])), "THRESHOLD": lambda v, a: v.clamp(min=a["Min"]),
           "ROUND": lambda v, a: v.round() if a["RoundingMode"].startswith("HALVES") else v.trunc(), "IS_NAN": lambda v, a: v.isnan(),
           "IS_INFINITY": lambda v, a: {"EITHER": torch.isinf, "POSITIVE": torch.isposinf, "NEGATIVE": torch.isneginf}[a["InfinityMode"]](v),
           "LOGICAL_NOT": lambda v, a: torch.logical_not(v), "BIT_NOT": lambda v, a: torch.bitwise_not(v),
           "RECIP": lambda v, a: v.reciprocal(), "CONSTANT_POW": lambda v, a: v ** a["Exponent"],
           **{k: lambda v, a, f=getattr(torch, k.lower()): f(v) for k in (*NAMES_OF_FUNCTIONS, "ERF")}}
    one["CLIP1"] = one["CLIP"]
    act = {"ELU": lambda v, a: F.elu(v, a["Alpha"]), "CELU": lambda v, a: F.celu(v, a["Alpha"]), "HARD_SIGMOID": lambda v, a: F.hardsigmoid(v),
           "HARD_SWISH": lambda v, a: F.hardswish(v), "IDENTITY": lambda v, a: v.clone(), "LEAKY_RELU": lambda v, a: F.leaky_relu(v, a["Alpha"]),
           "LINEAR": lambda v, a: v * a["Alpha"] + a["Beta"], "PARAMETRIC_SOFTPLUS": lambda v, a: F.softplus(v, beta=a["Beta"]), "RELU": lambda v, a: torch.relu(v),
           "SCALED_ELU": lambda v, a: F.selu(v), "SCALED_TANH": lambda v, a: a["Alpha"] * torch.tanh(a["Beta"] * v), "SHRINK": lambda v, a: F.softshrink(v, a["Bias"]),
           "SIGMOID": lambda v, a: torch.sigmoid(v), "SOFTPLUS": lambda v, a: F.softplus(v), "SOFTSIGN": lambda v, a: F.softsign(v), "TANH": lambda v, a: torch.tanh(v),
           "THRESHOLDED_RELU": lambda v, a: F.threshold(v, a["Alpha"], 0.0), "GELU": lambda v, a: F.gelu(v), "SWISH": lambda v, a: F.silu(v)}
    two = {"ADD": torch.add, "ADD1": torch.add, "SUBTRACT": torch.sub, "MULTIPLY": torch.mul, "MIN": torch.minimum, "MAX": torch.maximum,
           "POW": torch.pow, "MODULUS_TRUNCATE": torch.fmod, "MODULUS_FLOOR": torch.remainder, "ATAN_YX": torch.atan2,
           "MEAN": lambda u, v: (u + v) / 2, "DIFFERENCE_SQUARE": lambda u, v: (u - v).square(),
           "DIVIDE": lambda u, v: u / v if u.is_floating_point() else torch.div(u, v, rounding_mode="trunc"),
           **{"LOGICAL_" + k: getattr(torch, v) for k, v in {"EQUALS": "eq", "GREATER_THAN": "gt", "LESS_THAN": "lt", "GREATER_THAN_OR_EQUAL": "ge", "LESS_THAN_OR_EQUAL": "le"}.items()},
           **{"LOGICAL_" + k: getattr(torch, "logical_" + k.lower()) for k in ("AND", "OR", "XOR")}, **{"BIT_" + k: getattr(torch, "bitwise_" + k.lower()) for k in ("AND", "OR", "XOR")},
           "BIT_SHIFT_LEFT": torch.bitwise_left_shift, "BIT_SHIFT_RIGHT": torch.bitwise_right_shift}
    t.update({LAYER + k: lambda x, a, case, f=f: f(x[0], a) for k, f in one.items()})
    t.update({ACTIVATION + k: lambda x, a, case, f=f: f(x[0], a) for k, f in act.items()})
    t.update({LAYER + k: lambda x, a, case, f=f: f(x[0], x[1]) for k, f in two.items()})
    t.update(layers.torch_functions(torch))
    return t, fills


def _torch_type(torch, dtype):
    return getattr(torch, np.dtype(dtype).name)


def _torch_flags(torch, tf32=False, half=False, benchmark=False):
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = tf32
    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = half
    try:
        torch.backends.cuda.matmul.allow_fp16_accumulation = half
    except AttributeError:  # PyTorch before 2.7
        pass
    torch.backends.cudnn.benchmark = benchmark


def _the_torch(case, device):
    torch = importlib.import_module("torch")
    table, fills = _torch_functions(torch)
    tensor = lambda v: None if v is None else [tensor(e) for e in v] if isinstance(v, list) else torch.from_numpy(
        np.ascontiguousarray(v).astype(np.int64 if v.dtype == np.uint32 else v.dtype)).to(device)
    if case.operator in fills:
        yield "", fills[case.operator](case.outputs[0], case.attributes, device)
        return
    f = table.get(case.operator)
    if f is None:
        return
    x, a = [tensor(v) for v in case.make()], case.attributes
    half = case.outputs and case.flat_outputs()[0][0] == np.float16
    if device == "cpu":
        yield "", f(x, a, case)
        return
    _torch_flags(torch)
    yield "", f(x, a, case)
    if case.operator in ("GEMM", "CONVOLUTION", "RNN", "LSTM", "GRU", "MULTIHEAD_ATTENTION") and not half:
        _torch_flags(torch, tf32=True)
        yield "TF32 allowed", f(x, a, case)
    if case.operator == "GEMM" and half:
        _torch_flags(torch, half=True)
        yield "FLOAT16 accumulation allowed", f(x, a, case)
        _torch_flags(torch)
        if x[2] is None:
            # What the interval of FLOAT16 tensors asks for, with no tensor core: FLOAT32 products and sums, one narrowing.
            yield "FLOAT32, then narrowed", (x[0].float() @ x[1].float()).half()
        elif "bias" in case.name:
            yield "bias added afterwards", x[0] @ x[1] + x[2]
    if case.operator == "GEMM" and not half and x[2] is None:
        _torch_flags(torch)
        yield "FLOAT64, then narrowed", (x[0].double() @ x[1].double()).float()
    if case.operator == "CONVOLUTION":
        _torch_flags(torch, benchmark=True)
        yield "cudnn.benchmark", f(x, a, case)
        _torch_flags(torch)
        yield "channels last", f(x, a, case, torch.channels_last)
        if half:
            yield "FLOAT32, then narrowed", f([None if v is None else v.float() for v in x], a, case).half()
    if case.operator == "MULTIHEAD_ATTENTION":
        _torch_flags(torch)
        yield from layers.attention_kernels(torch, f, x, a, case)
    if case.operator in ("RNN", "LSTM", "GRU"):
        _torch_flags(torch)
        torch.backends.cudnn.enabled = False
        y = f(x, a, case)
        torch.backends.cudnn.enabled = True
        yield "without cuDNN", y
    _torch_flags(torch)


def torch_cuda(case):
    yield from _the_torch(case, "cuda")


def torch_cpu(case):
    yield from _the_torch(case, "cpu")


# --- Triton ----------------------------------------------------------------------------------------------------------------------


def triton_cuda(case):
    if case.operator != "GEMM" or not case.name.startswith("gemm.") or case.outputs[0][0] != np.float32 or not case.name.endswith("x64"):
        return
    from triton_gemm import WAYS, multiply
    torch = importlib.import_module("torch")
    a, b, _ = case.make()
    a, b = (torch.from_numpy(v[0, 0]).cuda() for v in (a, b))
    for way in WAYS:
        yield f"tl.dot {way}", lambda way=way: multiply(a, b, way)[None, None]


# --- JAX -------------------------------------------------------------------------------------------------------------------------


def _the_jax(case, platform):
    jax = importlib.import_module("jax")
    jnp, nn, lax = importlib.import_module("jax.numpy"), importlib.import_module("jax.nn"), jax.lax
    table = array_functions(jnp)
    T = lambda v: v.dtype.type

    def convolution(x, a, case, precision):
        i, w, b = x
        if a.get("Direction") == "BACKWARD":
            size = w.shape[2]
            y = lax.conv_general_dilated(i, jnp.flip(w, (2, 3)).swapaxes(0, 1), (1, 1), [(size - 1 - p, size - 1 - p) for p in a["StartPadding"]], lhs_dilation=a["Strides"],
                                         precision=precision)
        else:
            y = lax.conv_general_dilated(i, w, a["Strides"], list(zip(a["StartPadding"], a["EndPadding"])), feature_group_count=a["GroupCount"], precision=precision)
        return y if b is None else y + b

    def matrix(x, a, case, precision):
        with jax.default_matmul_precision(precision):
            return table["GEMM"](x, a, case)

    def gradient(f):
        return lambda x, a, case: jax.vjp(lambda v: f(v, a), x[0])[1](x[1])[0]

    def top_k(x, a, case):
        return None if a.get("AxisDirection") == "INCREASING" else list(lax.top_k(x[0], a["K"]))

    def upsample(x, a, case):
        return jax.image.resize(x[0], case.outputs[0][1], "nearest" if a["InterpolationMode"].startswith("NEAREST") else "linear", antialias=False)

    def unrolled(x, a, case, precision):
        """An LSTM or RNN of this library's products and functions."""
        lstm = case.operator == "LSTM"
        dot = lambda u, v: jnp.matmul(u, v.T, precision=precision)
        outputs, ends, cells = [], [], []
        for d in range(x[1].shape[1]):
            i, w, r, h = x[0][0], x[1][0, d], x[2][0, d], x[4][0, d]
            half = x[3].shape[3] // 2
            b = x[3][0, 0, d, :half] + x[3][0, 0, d, half:]
            c, sequence = x[5][0, d] if lstm else None, [None] * i.shape[0]
            for t in (range(i.shape[0]) if d == 0 else reversed(range(i.shape[0]))):
                s = dot(i[t], w) + dot(h, r) + b
                if lstm:
                    n = s.shape[1] // 4
                    c = nn.sigmoid(s[:, 2 * n:3 * n]) * c + nn.sigmoid(s[:, :n]) * jnp.tanh(s[:, 3 * n:])
                    h = nn.sigmoid(s[:, n:2 * n]) * jnp.tanh(c)
                else:
                    h = jnp.tanh(s)
                sequence[t] = h
            outputs.append(jnp.stack(sequence))
            ends.append(h)
            cells.append(c)
        return [jnp.stack(outputs, 1), jnp.stack(ends)[None], *([jnp.stack(cells)[None]] if lstm else [])]

    table.pop("SPLIT")
    table |= {
        "SPLIT": lambda x, a, case: list(jnp.split(x[0], np.cumsum([o[1][a["Axis"]] for o in case.flat_outputs()])[:-1].tolist(), a["Axis"])),
        "ACTIVATION_SOFTMAX": lambda x, a, case: nn.softmax(x[0], -1), "ACTIVATION_SOFTMAX1": lambda x, a, case: nn.softmax(x[0], -1),
        **dict.fromkeys(("ACTIVATION_LOG_SOFTMAX", "ACTIVATION_LOG_SOFTMAX1"), lambda x, a, case: nn.log_softmax(x[0], -1)),
        LAYER + "ERF": lambda x, a, case: lax.erf(x[0]),
        "TOP_K": top_k, "TOP_K1": top_k, "UPSAMPLE_2D": upsample, "ONE_HOT": lambda x, a, case: nn.one_hot(x[0][:, 0], case.outputs[0][1][1], dtype=x[1].dtype),
        "SCATTER_ELEMENTS": lambda x, a, case: x[0].at[jnp.arange(x[0].shape[0])[:, None], x[1]].set(x[2]), "SCATTER_ND": lambda x, a, case: x[0].at[x[1][:, 0]].set(x[2]),
        "SLICE_GRAD": lambda x, a, case: jax.vjp(lambda v: v[_slices(a)], jnp.zeros(case.outputs[0][1], case.outputs[0][0]))[1](x[0])[0],
        LAYER + "BIT_COUNT": lambda x, a, case: lax.population_count(x[0]),
        LAYER + "CLIP_GRAD": gradient(lambda v, a: jnp.clip(v, T(v)(a["Min"]), T(v)(a["Max"]))), LAYER + "CLIP_GRAD1": gradient(lambda v, a: jnp.clip(v, a["Min"], a["Max"])),
        ACTIVATION + "RELU_GRAD": gradient(lambda v, a: nn.relu(v))}
    act = {"ELU": lambda v, a: nn.elu(v, a["Alpha"]), "CELU": lambda v, a: nn.celu(v, a["Alpha"]), "HARD_SIGMOID": lambda v, a: nn.hard_sigmoid(v), "HARD_SWISH": lambda v, a: nn.hard_swish(v),
           "LEAKY_RELU": lambda v, a: nn.leaky_relu(v, a["Alpha"]), "RELU": lambda v, a: nn.relu(v), "SCALED_ELU": lambda v, a: nn.selu(v), "SIGMOID": lambda v, a: nn.sigmoid(v),
           "SOFTPLUS": lambda v, a: nn.softplus(v), "SOFTSIGN": lambda v, a: nn.soft_sign(v), "TANH": lambda v, a: jnp.tanh(v),
           "GELU": lambda v, a: nn.gelu(v, approximate=False), "SWISH": lambda v, a: nn.silu(v)}
    table |= {ACTIVATION + k: lambda x, a, case, f=f: f(x[0], a) for k, f in act.items()}
    device = jax.devices(platform)[0]
    f = table.get(case.operator)
    ways = {"GEMM": matrix, "CONVOLUTION": convolution, "RNN": unrolled, "LSTM": unrolled}
    if f is None and case.operator not in ways:
        return
    with jax.default_device(device):
        put = lambda v: None if v is None else [put(e) for e in v] if isinstance(v, list) else jnp.asarray(np.ascontiguousarray(v))
        x, a = [put(v) for v in case.make()], case.attributes
        if case.operator not in ways:
            answer = f if case.operator in ("NONZERO_COORDINATES", "SPLIT") else jax.jit(lambda x, a=a, case=case: f(x, a, case))
            yield "", answer(x, a, case) if answer is f else answer(x)
            return
        for precision in ("highest", "default")[:1 if platform == "cpu" else 2]:
            value = precision if case.operator == "GEMM" else getattr(lax.Precision, precision.upper())
            name = {"highest": "", "default": "precision default"}[precision]
            yield name, jax.jit(lambda x, value=value: ways[case.operator](x, a, case, value))(x)


def jax_gpu(case):
    yield from _the_jax(case, "gpu")


def jax_cpu(case):
    yield from _the_jax(case, "cpu")


# --- which are here --------------------------------------------------------------------------------------------------------------



def onnx_runtime(case):
    yield from importlib.import_module("onnx_models").compute(case)


LIBRARIES = {"NumPy": the_numpy, "PyTorch CUDA": torch_cuda, "PyTorch CPU": torch_cpu, "Triton CUDA": triton_cuda, "JAX GPU": jax_gpu, "JAX CPU": jax_cpu,
             "ONNX Runtime": onnx_runtime}


def reason(name):
    """Why a library cannot run here, or ''; and what it is, for the record."""
    try:
        if name == "NumPy":
            return "", f"NumPy {np.__version__}"
        if name.startswith("PyTorch"):
            torch = importlib.import_module("torch")
            if name.endswith("CUDA"):
                if not torch.cuda.is_available():
                    return "PyTorch sees no CUDA device", ""
                return "", f"PyTorch {torch.__version__}, cuDNN {torch.backends.cudnn.version()}, {torch.cuda.get_device_name(0)}"
            return "", f"PyTorch {torch.__version__}, CPU"
        if name.startswith("Triton"):
            torch, triton = importlib.import_module("torch"), importlib.import_module("triton")
            return ("", f"Triton {triton.__version__}, {torch.cuda.get_device_name(0)}") if torch.cuda.is_available() else ("PyTorch sees no CUDA device", "")
        if name.startswith("JAX"):
            if name.endswith("CPU"):
                os.environ["JAX_PLATFORMS"] = "cpu"
            jax = importlib.import_module("jax")
            return "", f"JAX {jax.__version__}, {jax.devices(name.split()[1].lower())[0].device_kind}"
        if name == "ONNX Runtime":
            importlib.import_module("onnx")
            return "", f"ONNX Runtime {importlib.import_module('onnxruntime').__version__}, CPU"
    except Exception as error:  # whatever a library raises while it is imported
        return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"[:200], ""
    raise ValueError(name)
