"""The calls that libraries and goldml both compute. Data come from exact arithmetic only, so that every machine has the same."""
import dataclasses
import math
from typing import Any, Callable

import numpy as np

FLOATS = {"f32": np.float32, "f16": np.float16}


def _bits(seed, count):
    """splitmix64."""
    with np.errstate(over="ignore"):
        z = np.arange(1, count + 1, dtype=np.uint64) + np.uint64(seed) * np.uint64(1 << 32)
        z = z * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def normal(seed, shape, dtype, scale=1.0):
    """Sums of twelve uniform numbers of 20 bits, which float64 holds exactly."""
    count, total = math.prod(shape), 0
    for k in range(6):
        z = _bits(seed * 16 + k, count)
        total = total + (z & np.uint64(0xFFFFF)).astype(np.float64) + ((z >> np.uint64(20)) & np.uint64(0xFFFFF))
    return ((total / 2**20 - 6) * scale).astype(dtype).reshape(shape)


def positive(seed, shape, dtype, scale=1.0):
    return ((_bits(seed, math.prod(shape)) >> np.uint64(40)).astype(np.float64) * (scale / 2**24)).astype(dtype).reshape(shape)


def integers(seed, shape, dtype, least=-8, most=8):
    return (least + (_bits(seed, math.prod(shape)) % np.uint64(most - least + 1)).astype(np.int64)).astype(dtype).reshape(shape)


def distinct(seed, shape, dtype):
    """A permutation of 0, 1, 2 .. along the last axis, minus half of its size."""
    order = np.argsort(_bits(seed, math.prod(shape)).reshape(shape), axis=-1, kind="stable")
    return (order - shape[-1] // 2).astype(dtype)


def places(seed, shape, below, dtype=np.int64):
    return integers(seed, shape, dtype, 0, below - 1)


_EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, -3.0, 6.0, math.inf, -math.inf, math.nan, 1e-3, -1e-3, 1e-7, -1e-7,
          10.0, -10.0, 20.5, -20.5, 88.0, -88.0, 100.0, -104.0, 65504.0, -65504.0, 0.16666667, 2.9999998, -2.9999998]


def edges(shape, dtype):
    """Every pair of special values where two operands have it, one varying along rows and the other along columns."""
    values = np.array(_EDGES, np.float64).astype(dtype)
    return np.resize(values, math.prod(shape)).reshape(shape)


@dataclasses.dataclass
class Case:
    name: str
    operator: str
    attributes: dict[str, Any]
    make: Callable[[], list]  # the inputs, in the order of DirectML's structure; None or a list of arrays as an operand
    outputs: list  # (dtype, sizes) each, None, or a list of these
    policies: list = dataclasses.field(default_factory=list)  # of goldml, tried where a library differs

    def flat_outputs(self):
        return [o for row in self.outputs for o in (row if isinstance(row, list) else [row]) if o is not None]

    def output_operands(self):
        zeros = lambda row: None if row is None else [zeros(o) for o in row] if isinstance(row, list) else np.zeros(row[1], row[0])
        return [zeros(row) for row in self.outputs]


CASES: list[Case] = []
HALF = [dict(accumulation="half_products"), dict(accumulation="half")]
TRANSFORM = [dict(transform="accept")]
NAN = [dict(nan_policy="propagate")]


def _case(name, operator, attributes, make, outputs, policies=()):
    CASES.append(Case(name, operator, attributes, make, outputs, list(policies)))


_KINDS = {"normal": normal, "positive": positive, "integers": integers}


def _data(kind, dtype):
    """Random data of a kind; FLOAT16 of small numbers, so that long sums do not overflow."""
    scale = {} if kind == "integers" or dtype == np.float32 else dict(scale=0.25)
    return lambda seed, shape: _KINDS[kind](seed, shape, dtype, **scale)


def _sums(tag, dtype, kind):
    data = _data(kind, dtype)
    half = HALF if tag == "f16" else []  # FLOAT16 does not explain what a device does with FLOAT32
    for k in (32, 64, 256, 1024, 4096, 16384):
        _case(f"gemm.{kind}.{tag}.64x{k}x64", "GEMM", dict(Beta=0.0),
              lambda k=k: [data(10 * k + 1, (1, 1, 64, k)), data(10 * k + 2, (1, 1, k, 64)), None], [(dtype, (1, 1, 64, 64))], half)
        if tag == "f16":
            _case(f"gemm_bias.{kind}.{tag}.64x{k}x64", "GEMM", {},
                  lambda k=k: [data(10 * k + 1, (1, 1, 64, k)), data(10 * k + 2, (1, 1, k, 64)),
                               np.broadcast_to(data(9, (1, 1, 1, 64)), (1, 1, 64, 64))], [(dtype, (1, 1, 64, 64))], half)
    for m, k, n in ((37, 333, 91), (128, 512, 128)):
        _case(f"gemm.{kind}.{tag}.{m}x{k}x{n}", "GEMM", dict(Beta=0.0),
              lambda m=m, k=k, n=n: [data(1, (1, 1, m, k)), data(2, (1, 1, k, n)), None], [(dtype, (1, 1, m, n))], half)
    _case(f"gemm_transposed.{kind}.{tag}", "GEMM", dict(TransA="TRANSPOSE", TransB="TRANSPOSE", Alpha=1.5, Beta=-0.75),
          lambda: [data(1, (1, 2, 200, 48)), data(2, (1, 2, 40, 200)), data(3, (1, 2, 48, 40))], [(dtype, (1, 2, 48, 40))], half)
    for name, n, c, h, o, size, stride, pad, groups in (
            ("k3", 1, 64, 20, 32, 3, 1, 1, 1), ("k3_stride2", 2, 16, 33, 32, 3, 2, 1, 1), ("k1", 1, 128, 14, 64, 1, 1, 0, 1),
            ("k7_stride2", 1, 8, 40, 16, 7, 2, 3, 1), ("k3_depthwise", 1, 32, 20, 32, 3, 1, 1, 32),
            ("k3_deep", 1, 128, 14, 64, 3, 1, 1, 1), ("k3_batch", 4, 32, 28, 32, 3, 1, 1, 1), ("k5", 1, 32, 32, 32, 5, 1, 2, 1)):
        if name == "k3_batch" and (tag == "f16" or kind == "positive"):
            continue
        size_out = (h + 2 * pad - size) // stride + 1
        for bias in ("", "_bias") if n < 4 else ("",):
            _case(f"conv{bias}.{kind}.{tag}.{name}", "CONVOLUTION",
                  dict(Strides=[stride] * 2, Dilations=[1, 1], StartPadding=[pad] * 2, EndPadding=[pad] * 2, OutputPadding=[0, 0],
                       GroupCount=groups),
                  lambda n=n, c=c, h=h, o=o, size=size, groups=groups, bias=bias: [
                      data(3, (n, c, h, h)), data(4, (o, c // groups, size, size)), data(5, (1, o, 1, 1)) if bias else None],
                  [(dtype, (n, o, size_out, size_out))], TRANSFORM + half)
    _case(f"deconv_bias.{kind}.{tag}", "CONVOLUTION",
          dict(Direction="BACKWARD", Strides=[2, 2], Dilations=[1, 1], StartPadding=[1, 1], EndPadding=[1, 1], OutputPadding=[0, 0],
               GroupCount=1),
          lambda: [data(3, (1, 32, 16, 16)), data(4, (32, 16, 4, 4)), data(5, (1, 16, 1, 1))], [(dtype, (1, 16, 32, 32))], TRANSFORM + half)
    for function in ("SUM", "AVERAGE", "L1", "L2", "SUM_SQUARE", "LOG_SUM", "LOG_SUM_EXP", "MULTIPLY", "MAX", "MIN", "ARGMAX", "ARGMIN"):
        for rows, columns in ((256, 1000),) if function.startswith("LOG") else ((256, 1000), (8, 50021)):
            # Products and logarithms of sums need numbers near 1 and positive sums.
            scale = lambda x, f=function: (np.abs(x) * 0.25 + 0.875).astype(x.dtype) if f == "MULTIPLY" else \
                np.abs(x) if f == "LOG_SUM" else x
            _case(f"reduce.{kind}.{tag}.{function.lower()}_{rows}x{columns}", "REDUCE", dict(Function=function, Axes=[3]),
                  lambda r=rows, c=columns, s=scale: [s(data(6, (1, 1, r, c)))],
                  [(np.uint32 if function.startswith("ARG") else dtype, (1, 1, rows, 1))], half)
    _case(f"softmax.{kind}.{tag}", "ACTIVATION_SOFTMAX", {}, lambda: [data(7, (1, 1, 16, 300))], [(dtype, (1, 1, 16, 300))], half)
    _case(f"softmax1.{kind}.{tag}", "ACTIVATION_SOFTMAX1", dict(Axes=[3]), lambda: [data(7, (1, 1, 32, 500))],
          [(dtype, (1, 1, 32, 500))], half)
    for name in ("LOG_SOFTMAX", "HARDMAX"):
        _case(f"{name.lower()}.{kind}.{tag}", f"ACTIVATION_{name}", {}, lambda: [data(7, (1, 1, 16, 300))], [(dtype, (1, 1, 16, 300))], half)
        _case(f"{name.lower()}1.{kind}.{tag}", f"ACTIVATION_{name}1", dict(Axes=[3]), lambda: [data(7, (1, 1, 32, 500))],
              [(dtype, (1, 1, 32, 500))], half)
    _case(f"cumsum.{kind}.{tag}", "CUMULATIVE_SUMMATION", dict(Axis=3), lambda: [data(8, (1, 1, 8, 2048))],
          [(dtype, (1, 1, 8, 2048))], half)
    _case(f"cumprod.{kind}.{tag}", "CUMULATIVE_PRODUCT", dict(Axis=3),
          lambda: [(np.abs(data(8, (1, 1, 32, 64))) * 0.25 + 0.875).astype(dtype)], [(dtype, (1, 1, 32, 64))], half)
    for mode in ("NEAREST_NEIGHBOR", "LINEAR"):
        _case(f"upsample_{mode[:6].lower()}.{kind}.{tag}", "UPSAMPLE_2D", dict(ScaleSize=[3, 2], InterpolationMode=mode),
              lambda: [data(9, (1, 3, 20, 24))], [(dtype, (1, 3, 40, 72))], [dict(pixel_alignment="corners"), *half])


# Activations with their attributes and whether a line through x = 0 has its kink there.
ACTIVATIONS = {
    "ELU": dict(Alpha=1.25), "CELU": dict(Alpha=1.5), "HARD_SIGMOID": dict(Alpha=1 / 6, Beta=0.5), "HARD_SWISH": dict(Alpha=1 / 6, Beta=0.5),
    "IDENTITY": {}, "LEAKY_RELU": dict(Alpha=0.01), "LINEAR": dict(Alpha=1.5, Beta=0.25), "PARAMETRIC_SOFTPLUS": dict(Alpha=0.5, Beta=2.0),
    "RELU": {}, "SCALED_ELU": dict(Alpha=1.6732632423543772, Gamma=1.0507009873554805), "SCALED_TANH": dict(Alpha=1.5, Beta=0.5),
    "SHRINK": dict(Bias=0.5, Threshold=0.5), "SIGMOID": {}, "SOFTPLUS": dict(Steepness=1.0), "SOFTSIGN": {}, "TANH": {},
    "THRESHOLDED_RELU": dict(Alpha=1.0), "GELU": {}, "SWISH": dict(SigmoidInputScale=1.0)}
_FUNCTIONS = {**dict.fromkeys(("ACOS", "ASIN", "ATAN", "COS", "EXP", "LOG", "RECIP", "SIN", "SQRT", "TAN", "ERF", "SINH", "COSH", "TANH", "ASINH",
                               "ACOSH", "ATANH"), {}), "CONSTANT_POW": dict(Exponent=1.75)}
_UNARY = {"IDENTITY": {}, "ABS": {}, "NEGATE": {}, "SIGN": {}, "CEIL": {}, "FLOOR": {}, "CLIP": dict(Min=-1.5, Max=2.25),
          "CLIP1": dict(Min=-1.5, Max=2.25), "THRESHOLD": dict(Min=0.5)}


def _element_wise(tag, dtype):
    small, rows = (1, 1, 32, 128), (1, 1, 32, 32)
    half = HALF if tag == "f16" else []
    arguments = {"normal": (small, lambda seed: normal(seed, small, dtype, 6.0)), "edges": (rows, lambda seed: edges(rows, dtype))}
    other = {"normal": lambda seed: normal(seed, small, dtype, 3.0),
             "edges": lambda seed: np.ascontiguousarray(edges(rows, dtype).swapaxes(2, 3))}
    for kind, (shape, x) in arguments.items():
        for name, attributes in ACTIVATIONS.items():
            policies = half + (NAN if name == "RELU" else [])
            _case(f"activation_{name.lower()}.{kind}.{tag}", f"ACTIVATION_{name}", attributes, lambda x=x: [x(10)], [(dtype, shape)], policies)
        for name, attributes in _UNARY.items():
            if name == "CLIP1":  # whose bounds have the tensors' type
                attributes = {k: dtype(v) for k, v in attributes.items()}
            _case(f"{name.lower()}.{kind}.{tag}", f"ELEMENT_WISE_{name}", attributes, lambda x=x: [x(10)], [(dtype, shape)],
                  NAN if name in ("SIGN", "CLIP", "CLIP1", "THRESHOLD") else [])
        for name, attributes in _FUNCTIONS.items():
            _case(f"{name.lower()}.{kind}.{tag}", f"ELEMENT_WISE_{name}", attributes, lambda x=x: [x(10)], [(dtype, shape)], half)
        for mode in ("HALVES_TO_NEAREST_EVEN", "TOWARD_ZERO"):
            _case(f"round_{mode[:6].lower()}.{kind}.{tag}", "ELEMENT_WISE_ROUND", dict(RoundingMode=mode), lambda x=x: [x(10)], [(dtype, shape)])
        _case(f"is_nan.{kind}.{tag}", "ELEMENT_WISE_IS_NAN", {}, lambda x=x: [x(10)], [(np.uint8, shape)])
        for mode in ("EITHER", "POSITIVE", "NEGATIVE"):
            _case(f"is_infinity_{mode.lower()}.{kind}.{tag}", "ELEMENT_WISE_IS_INFINITY", dict(InfinityMode=mode), lambda x=x: [x(10)],
                  [(np.uint8, shape)])
        two = lambda x=x, y=other[kind]: [x(11), y(12)]
        for name in ("ADD", "ADD1", "SUBTRACT", "MULTIPLY", "DIVIDE", "POW", "MODULUS_TRUNCATE", "MODULUS_FLOOR", "ATAN_YX", "MEAN",
                     "DIFFERENCE_SQUARE"):
            _case(f"{name.lower()}.{kind}.{tag}", f"ELEMENT_WISE_{name}", {}, two, [(dtype, shape)], half)
        for name in ("MIN", "MAX"):
            _case(f"{name.lower()}.{kind}.{tag}", f"ELEMENT_WISE_{name}", {}, two, [(dtype, shape)], NAN)
        for name in ("EQUALS", "GREATER_THAN", "LESS_THAN", "GREATER_THAN_OR_EQUAL", "LESS_THAN_OR_EQUAL"):
            _case(f"{name.lower()}.{kind}.{tag}", f"ELEMENT_WISE_LOGICAL_{name}", {}, two, [(np.uint8, shape)])
        for name, bounds in (("CLIP_GRAD", dict(Min=-1.5, Max=2.25)), ("CLIP_GRAD1", dict(Min=dtype(-1.5), Max=dtype(2.25)))):
            _case(f"{name.lower()}.{kind}.{tag}", f"ELEMENT_WISE_{name}", bounds, two, [(dtype, shape)])
        _case(f"relu_grad.{kind}.{tag}", "ACTIVATION_RELU_GRAD", {}, two, [(dtype, shape)])
        _case(f"parameterized_relu.{kind}.{tag}", "ACTIVATION_PARAMETERIZED_RELU", {}, two, [(dtype, shape)], half)
        _case(f"if.{kind}.{tag}", "ELEMENT_WISE_IF", {}, lambda x=x, y=other[kind], shape=shape: [places(13, shape, 2, np.uint8), x(11), y(12)],
              [(dtype, shape)])
        _case(f"cast_to_other.{kind}.{tag}", "CAST", {}, lambda x=x: [x(10)], [(np.float16 if tag == "f32" else np.float32, shape)],
              [dict(cast_overflow="wrap")])
        if kind == "normal":
            _case(f"cast_to_int32.{kind}.{tag}", "CAST", {}, lambda x=x: [x(10)], [(np.int32, shape)])
            _case(f"cast_from_int32.{kind}.{tag}", "CAST", {}, lambda shape=shape: [integers(14, shape, np.int32, -2**31, 2**31 - 1)
                  if tag == "f32" else integers(14, shape, np.int32, -60000, 60000)], [(dtype, shape)])


def _copies(tag, dtype):
    x = lambda *sizes: normal(20, sizes, dtype)
    for mode in ("CONSTANT", "EDGE", "REFLECTION", "SYMMETRIC", "WRAP"):
        for name, value in (("PADDING", 1.5), ("PADDING1", dtype(1.5))):
            _case(f"{name.lower()}_{mode.lower()}.{tag}", name, dict(PaddingMode=mode, PaddingValue=value, StartPadding=[0, 0, 2, 3], EndPadding=[0, 0, 1, 4]),
                  lambda: [x(1, 2, 9, 11)], [(dtype, (1, 2, 12, 18))])
    _case(f"tile.{tag}", "TILE", dict(Repeats=[2, 1, 3, 2]), lambda: [x(1, 2, 5, 7)], [(dtype, (2, 2, 15, 14))])
    for order, name in (("", ""), ("DEPTH_COLUMN_ROW", "1"), ("COLUMN_ROW_DEPTH", "1")):
        attributes = dict(BlockSize=2, **({"Order": order} if order else {}))
        suffix = f"{name}_{order[:5].lower()}" if order else ""
        _case(f"space_to_depth{suffix}.{tag}", f"SPACE_TO_DEPTH{name}", attributes, lambda: [x(2, 3, 8, 10)], [(dtype, (2, 12, 4, 5))])
        _case(f"depth_to_space{suffix}.{tag}", f"DEPTH_TO_SPACE{name}", attributes, lambda: [x(2, 12, 4, 5)], [(dtype, (2, 3, 8, 10))])
    _case(f"slice.{tag}", "SLICE", dict(Offsets=[0, 1, 2, 3], Sizes=[1, 2, 4, 4], Strides=[1, 1, 2, 3]), lambda: [x(1, 4, 11, 17)],
          [(dtype, (1, 2, 4, 4))])
    window = dict(InputWindowOffsets=[0, 1, 2, 3], InputWindowSizes=[1, 2, 8, 12], InputWindowStrides=[1, 1, 2, 3])
    _case(f"slice1.{tag}", "SLICE1", window, lambda: [x(1, 4, 11, 17)], [(dtype, (1, 2, 4, 4))])
    _case(f"slice_grad.{tag}", "SLICE_GRAD", window, lambda: [x(1, 2, 4, 4)], [(dtype, (1, 4, 11, 17))])
    _case(f"split.{tag}", "SPLIT", dict(Axis=3), lambda: [x(1, 2, 5, 9)], [[(dtype, (1, 2, 5, 2)), (dtype, (1, 2, 5, 4)), (dtype, (1, 2, 5, 3))]])
    _case(f"join.{tag}", "JOIN", dict(Axis=2), lambda: [[x(1, 2, 3, 5), normal(21, (1, 2, 4, 5), dtype)]], [(dtype, (1, 2, 7, 5))])
    _case(f"gather.{tag}", "GATHER", dict(Axis=0, IndexDimensions=1), lambda: [x(20, 9), places(22, (1, 15), 20)], [(dtype, (15, 9))])
    _case(f"gather_elements.{tag}", "GATHER_ELEMENTS", dict(Axis=1), lambda: [x(20, 9), places(22, (20, 9), 9)], [(dtype, (20, 9))])
    index = lambda: np.stack([places(23, (12,), 5), places(24, (12,), 6)], axis=1)
    _case(f"gather_nd.{tag}", "GATHER_ND", dict(InputDimensionCount=3, IndicesDimensionCount=2), lambda: [x(5, 6, 7), index().reshape(1, 12, 2)],
          [(dtype, (1, 12, 7))])
    _case(f"gather_nd1.{tag}", "GATHER_ND1", dict(InputDimensionCount=3, IndicesDimensionCount=3, BatchDimensionCount=1),
          lambda: [x(5, 6, 7), places(25, (5, 8, 1), 6)], [(dtype, (5, 8, 7))])
    _case(f"scatter_elements.{tag}", "SCATTER_ELEMENTS", dict(Axis=1),
          lambda: [x(20, 9), np.argsort(places(26, (20, 9), 2**30), axis=1).astype(np.int64), normal(27, (20, 9), dtype)], [(dtype, (20, 9))])
    _case(f"scatter_nd.{tag}", "SCATTER_ND", dict(InputDimensionCount=2, IndicesDimensionCount=2),
          lambda: [x(30, 9), np.argsort(places(28, (30,), 2**30))[:12].astype(np.int64).reshape(12, 1), normal(29, (12, 9), dtype)], [(dtype, (30, 9))])
    for kind, data in (("distinct", lambda: distinct(30, (1, 1, 12, 200), dtype)), ("ties", lambda: integers(31, (1, 1, 12, 200), dtype))):
        for direction in ("INCREASING", "DECREASING"):
            attributes = dict(Axis=3, K=7, AxisDirection=direction)
            _case(f"top_k1_{direction[:3].lower()}.{kind}.{tag}", "TOP_K1", attributes, lambda d=data: [d()],
                  [(dtype, (1, 1, 12, 7)), (np.uint32, (1, 1, 12, 7))])
        _case(f"top_k.{kind}.{tag}", "TOP_K", dict(Axis=3, K=7), lambda d=data: [d()], [(dtype, (1, 1, 12, 7)), (np.uint32, (1, 1, 12, 7))])
        for name in ("ARGMIN", "ARGMAX"):
            for direction in ("INCREASING", "DECREASING"):
                _case(f"{name.lower()}_{direction[:3].lower()}.{kind}.{tag}", name, dict(Axes=[3], AxisDirection=direction), lambda d=data: [d()],
                      [(np.int64, (1, 1, 12, 1))])
    _case(f"argmax_nan.{tag}", "ARGMAX", dict(Axes=[3]), lambda: [edges((1, 1, 4, 32), dtype)], [(np.int64, (1, 1, 4, 1))], NAN)
    _case(f"one_hot.{tag}", "ONE_HOT", dict(Axis=1), lambda: [places(32, (40, 1), 12), np.array([[0, 1]], dtype)], [(dtype, (40, 12))])
    _case(f"nonzero_coordinates.{tag}", "NONZERO_COORDINATES", {}, lambda: [integers(33, (7, 9), dtype, -1, 1)],
          [(np.uint32, (1,)), (np.uint32, (63, 2))])
    _case(f"reverse_subsequences.{tag}", "REVERSE_SUBSEQUENCES", dict(Axis=1), lambda: [x(6, 10), np.array([1, 1, 4, 10, 7, 9], np.uint32).reshape(6, 1)],
          [(dtype, (6, 10))])
    _case(f"max_unpooling.{tag}", "MAX_UNPOOLING", {}, lambda: [x(1, 1, 5, 6), (np.arange(30, dtype=np.uint32) * 4 + places(34, (30,), 4, np.uint32))
          .reshape(1, 1, 5, 6)], [(dtype, (1, 1, 10, 12))])
    _case(f"diagonal_matrix.{tag}", "DIAGONAL_MATRIX", dict(Offset=2, Value=1.5), lambda: [], [(dtype, (8, 8))])
    _case(f"diagonal_matrix1_triu.{tag}", "DIAGONAL_MATRIX1", dict(Value=dtype(0), DiagonalFillBegin=-2**31, DiagonalFillEnd=-1), lambda: [x(9, 11)], [(dtype, (9, 11))])
    _case(f"diagonal_matrix1_tril.{tag}", "DIAGONAL_MATRIX1", dict(Value=dtype(0), DiagonalFillBegin=3, DiagonalFillEnd=2**31 - 1), lambda: [x(9, 11)],
          [(dtype, (9, 11))])
    _case(f"fill_value_constant.{tag}", "FILL_VALUE_CONSTANT", dict(Value=dtype(2.5)), lambda: [], [(dtype, (3, 5))])
    _case(f"fill_value_sequence.{tag}", "FILL_VALUE_SEQUENCE", dict(ValueStart=dtype(0.1), ValueDelta=dtype(0.3)), lambda: [], [(dtype, (1000,))],
          [dict(sequence="accumulate")])


def _recurrent(tag, dtype):
    steps, batch, size, state = 20, 4, 32, 48
    for operator, gates, activations in (("RNN", 1, ["ACTIVATION_TANH"]), ("LSTM", 4, ["ACTIVATION_SIGMOID", "ACTIVATION_TANH", "ACTIVATION_TANH"])):
        for direction in ("FORWARD", "BIDIRECTIONAL"):
            d = 2 if direction == "BIDIRECTIONAL" else 1
            end = [(dtype, (1, d, batch, state))]
            _case(f"{operator.lower()}_{direction.lower()}.{tag}", operator, dict(Direction=direction, ActivationDescs=activations * d),
                  lambda g=gates, d=d: [normal(40, (1, steps, batch, size), dtype), normal(41, (1, d, g * state, size), dtype, 0.2),
                                        normal(42, (1, d, g * state, state), dtype, 0.15), normal(43, (1, 1, d, 2 * g * state), dtype, 0.1),
                                        normal(44, (1, d, batch, state), dtype, 0.3)] +
                  ([normal(45, (1, d, batch, state), dtype, 0.3), None, None] if g == 4 else [None]),
                  [(dtype, (steps, d, batch, state))] + end * (2 if gates == 4 else 1), HALF if tag == "f16" else [])


def _bits_and_logic():
    shape = (1, 1, 16, 32)
    byte = lambda seed: integers(seed, shape, np.uint8, 0, 255)
    for name in ("AND", "OR", "XOR"):
        _case(f"logical_{name.lower()}.u8", f"ELEMENT_WISE_LOGICAL_{name}", {}, lambda: [places(50, shape, 3, np.uint8), places(51, shape, 2, np.uint8)],
              [(np.uint8, shape)])
        for dtype, text in ((np.uint8, "u8"), (np.int32, "i32")):
            data = byte if text == "u8" else lambda seed: integers(seed, shape, np.int32, -2**31, 2**31 - 1)
            _case(f"bit_{name.lower()}.{text}", f"ELEMENT_WISE_BIT_{name}", {}, lambda data=data: [data(52), data(53)], [(dtype, shape)])
    _case("logical_not.u8", "ELEMENT_WISE_LOGICAL_NOT", {}, lambda: [places(50, shape, 3, np.uint8)], [(np.uint8, shape)])
    _case("bit_not.u8", "ELEMENT_WISE_BIT_NOT", {}, lambda: [byte(52)], [(np.uint8, shape)])
    _case("bit_count.u8", "ELEMENT_WISE_BIT_COUNT", {}, lambda: [byte(52)], [(np.uint8, shape)])
    for name in ("LEFT", "RIGHT"):
        _case(f"bit_shift_{name.lower()}.u8", f"ELEMENT_WISE_BIT_SHIFT_{name}", {}, lambda: [byte(52), places(54, shape, 8, np.uint8)], [(np.uint8, shape)])
        _case(f"bit_shift_{name.lower()}_far.u8", f"ELEMENT_WISE_BIT_SHIFT_{name}", {}, lambda: [byte(52), places(54, shape, 16, np.uint8)], [(np.uint8, shape)],
              [dict(shift_policy="mask")])
    for name in ("ADD", "SUBTRACT", "MULTIPLY", "MIN", "MAX"):
        _case(f"{name.lower()}.i32", f"ELEMENT_WISE_{name}", {}, lambda: [integers(55, shape, np.int32, -2**31, 2**31 - 1), integers(56, shape, np.int32, -2**31, 2**31 - 1)],
              [(np.int32, shape)])
    _case("divide.i32", "ELEMENT_WISE_DIVIDE", {}, lambda: [integers(55, shape, np.int32, -1000, 1000), integers(56, shape, np.int32, 1, 9)], [(np.int32, shape)])
    _case("cumsum.i32", "CUMULATIVE_SUMMATION", dict(Axis=3), lambda: [integers(57, shape, np.int32)], [(np.int32, shape)])


for _tag, _dtype in FLOATS.items():
    for _kind in _KINDS:
        _sums(_tag, _dtype, _kind)
    _element_wise(_tag, _dtype)
    _copies(_tag, _dtype)
    _recurrent(_tag, _dtype)
_bits_and_logic()
assert len({c.name for c in CASES}) == len(CASES)
