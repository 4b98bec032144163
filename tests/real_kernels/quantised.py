"""Quantised operators: their cases, and the calls of PyTorch and the models of ONNX that compute them."""
import numpy as np

from cases import _case, integers, normal

LAYER = "ELEMENT_WISE_"


def _quantised():
    shape = (1, 1, 32, 64)
    wide = lambda value, dtype, sizes=shape: np.broadcast_to(np.array(value, dtype).reshape(1, 1, 1, 1), sizes)
    for tag, dtype in (("u8", np.uint8), ("i8", np.int8)):
        least = np.iinfo(dtype).min
        byte = lambda seed, sizes=shape, dtype=dtype, least=least: integers(seed, sizes, dtype, least, least + 255)
        for scale_name, scale in (("random", 0.037), ("power", 0.03125)):
            _case(f"quantize_{scale_name}.{tag}", LAYER + "QUANTIZE_LINEAR", {},
                  lambda s=scale, t=dtype, z=least + 121: [normal(100, shape, np.float32, 1.5), wide(s, np.float32), wide(z, t)], [(dtype, shape)])
            _case(f"dequantize_{scale_name}.{tag}", LAYER + "DEQUANTIZE_LINEAR", {},
                  lambda s=scale, t=dtype, z=least + 121, byte=byte: [byte(101), wide(s, np.float32), wide(z, t)], [(np.float32, shape)])
        zero = lambda value, t: np.array(value, t).reshape(1, 1, 1, 1)
        one = lambda value: np.array(value, np.float32).reshape(1, 1, 1, 1)
        _case(f"matmul_integer.{tag}", "MATRIX_MULTIPLY_INTEGER", {},
              lambda t=dtype, z=least + 121, byte=byte: [byte(102, (1, 1, 33, 128)), zero(z, t), byte(103, (1, 1, 128, 40)), zero(z + 9, t)],
              [(np.int32, (1, 1, 33, 40))])
        _case(f"quantized_matmul.{tag}", "QUANTIZED_LINEAR_MATRIX_MULTIPLY", {},
              lambda t=dtype, z=least + 121, byte=byte: [byte(102, (1, 1, 33, 128)), one(0.02), zero(z, t), byte(103, (1, 1, 128, 40)), one(0.013),
                                                         zero(z + 9, t), one(0.37), zero(z - 5, t)], [(dtype, (1, 1, 33, 40))])
        convolved = dict(Strides=[1, 2], Dilations=[1, 1], StartPadding=[1, 0], EndPadding=[1, 2], GroupCount=2)
        images, filters, results = (2, 6, 14, 15), (8, 3, 3, 3), (2, 8, 14, 8)
        _case(f"convolution_integer.{tag}", "CONVOLUTION_INTEGER", convolved,
              lambda t=dtype, z=least + 121, byte=byte: [byte(105, images), zero(z, t), byte(106, filters), zero(z + 9, t)], [(np.int32, results)])
        _case(f"quantized_convolution.{tag}", "QUANTIZED_LINEAR_CONVOLUTION", convolved,
              lambda t=dtype, z=least + 121, byte=byte: [byte(105, images), one(0.02), zero(z, t), byte(106, filters), one(0.013), zero(z + 9, t),
                                                         integers(107, (1, 8, 1, 1), np.int32, -5000, 5000), one(0.19), zero(z - 5, t)], [(dtype, results)])
        _case(f"quantized_add.{tag}", LAYER + "QUANTIZED_LINEAR_ADD", {},
              lambda t=dtype, z=least + 121, byte=byte: [byte(101), one(0.02), zero(z, t), byte(108), one(0.013), zero(z + 9, t), one(0.03), zero(z - 5, t)], [(dtype, shape)])
        for counted in (False, True):
            _case(f"quantized_average_pooling{'_counted' * counted}.{tag}", "QUANTIZED_LINEAR_AVERAGE_POOLING",
                  dict(Strides=[2, 2], WindowSize=[3, 3], StartPadding=[1, 1], EndPadding=[1, 1], Dilations=[1, 1], IncludePadding=counted),
                  lambda t=dtype, z=least + 121, byte=byte: [byte(109, (2, 5, 23, 26)), one(0.02), zero(z, t), one(0.017), zero(z - 5, t)], [(dtype, (2, 5, 12, 13))])
        _case(f"matmul_integer_to_float.{tag}", "MATRIX_MULTIPLY_INTEGER_TO_FLOAT", {},
              lambda t=dtype, z=least + 121, byte=byte: [byte(102, (1, 1, 33, 128)), one(0.02), zero(z, t), byte(103, (1, 1, 128, 40)), one(0.013), zero(z + 9, t),
                                                         np.broadcast_to(normal(110, (1, 1, 1, 40), np.float32), (1, 1, 33, 40))], [(np.float32, (1, 1, 33, 40))])
        # A scale and a zero point for each 16 elements of a row.
        scales = lambda: (np.abs(normal(111, (1, 1, 32, 4), np.float64)) * 0.02 + 0.01).astype(np.float32)
        zeros = lambda seed=112, byte=byte: byte(seed, (1, 1, 32, 4))
        _case(f"quantize_blocks.{tag}", "QUANTIZE", dict(QuantizationType="SCALE_ZERO_POINT"), lambda s=scales, z=zeros: [normal(100, shape, np.float32, 1.5), [s(), z()]], [(dtype, shape)])
        _case(f"dequantize_blocks.{tag}", "DEQUANTIZE", dict(QuantizationType="SCALE_ZERO_POINT"), lambda s=scales, z=zeros, byte=byte: [byte(101), [s(), z()]], [(np.float32, shape)])
    _case("dynamic_quantize.u8", "DYNAMIC_QUANTIZE_LINEAR", {}, lambda: [normal(104, shape, np.float32, 1.5)],
          [(np.uint8, shape), (np.float32, (1, 1, 1, 1)), (np.uint8, (1, 1, 1, 1))])


_quantised()


def torch_functions(torch):
    def quantize(x, a, case):
        types = {torch.uint8: torch.quint8, torch.int8: torch.qint8}
        return torch.quantize_per_tensor(x[0], float(x[1].flatten()[0]), int(x[2].flatten()[0]), types[x[2].dtype]).int_repr()

    return {LAYER + "QUANTIZE_LINEAR": quantize}


def onnx_model(case):
    """(operator, attributes, inputs) or None, as onnx_models.model()."""
    a, x, name = case.attributes, case.make(), case.operator
    one = lambda v: np.ascontiguousarray(v).flatten()[0]
    if name in (LAYER + "QUANTIZE_LINEAR", LAYER + "DEQUANTIZE_LINEAR"):
        return ("QuantizeLinear" if "DE" not in name.split("_")[2] else "DequantizeLinear"), {}, [x[0], one(x[1]), one(x[2])]
    if name == "MATRIX_MULTIPLY_INTEGER":
        return "MatMulInteger", {}, [x[0], x[2], one(x[1]), one(x[3])]
    if name == "QUANTIZED_LINEAR_MATRIX_MULTIPLY":
        return "QLinearMatMul", {}, [x[0], one(x[1]), one(x[2]), x[3], one(x[4]), one(x[5]), one(x[6]), one(x[7])]
    if name == "DYNAMIC_QUANTIZE_LINEAR":
        return "DynamicQuantizeLinear", {}, x
    if name in ("CONVOLUTION_INTEGER", "QUANTIZED_LINEAR_CONVOLUTION"):
        options = dict(strides=a["Strides"], dilations=a["Dilations"], pads=[*a["StartPadding"], *a["EndPadding"]], group=a["GroupCount"])
        if name == "CONVOLUTION_INTEGER":
            return "ConvInteger", options, [x[0], x[2], one(x[1]), one(x[3])]
        return "QLinearConv", options, [x[0], one(x[1]), one(x[2]), x[3], one(x[4]), one(x[5]), one(x[7]), one(x[8]), x[6].flatten()]
    if name == LAYER + "QUANTIZED_LINEAR_ADD":
        return "com.microsoft.QLinearAdd", {}, [x[0], one(x[1]), one(x[2]), x[3], *map(one, x[4:])]
    if name == "QUANTIZED_LINEAR_AVERAGE_POOLING":
        return "com.microsoft.QLinearAveragePool", dict(kernel_shape=a["WindowSize"], strides=a["Strides"], pads=[*a["StartPadding"], *a["EndPadding"]],
                                                        count_include_pad=int(a["IncludePadding"])), [x[0], *map(one, x[1:])]
    if name == "MATRIX_MULTIPLY_INTEGER_TO_FLOAT":
        return "com.microsoft.MatMulIntegerToFloat", {}, [x[0], x[3], one(x[1]), one(x[4]), one(x[2]), one(x[5]), x[6][0, 0, 0]]
    if name in ("QUANTIZE", "DEQUANTIZE"):
        return name.capitalize() + "Linear", dict(axis=3, block_size=16), [x[0], *x[1]]
    return None
