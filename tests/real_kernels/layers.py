"""Layers of image and language models: pooling, resampling, regions, normalisation, GRU, attention, and gradients. Their cases, and the
calls of PyTorch and the models of ONNX that compute them."""
import importlib

import numpy as np

import quantised
from cases import CASES, FLOATS, HALF, _case, _data, integers, normal, positive

ACTIVATION, LAYER = "ACTIVATION_", "ELEMENT_WISE_"
WINDOWS = {"3x3": ([2, 2], [3, 3], [1, 1], [1, 1], [1, 1]), "2x2": ([2, 2], [2, 2], [0, 0], [0, 0], [1, 1]),
           "3x3_dilated": ([1, 1], [3, 3], [1, 1], [1, 1], [2, 2])}  # strides, sizes, paddings, dilations


def _size(n, stride, window, start, end, dilation):
    return (n + start + end - (window - 1) * dilation - 1) // stride + 1


def _windows(tag, dtype):
    half = HALF if tag == "f16" else []
    shape = (2, 5, 23, 26)
    for kind in ("normal", "integers"):
        data = _data(kind, dtype)
        for name, (strides, window, start, end, dilations) in WINDOWS.items():
            padding = dict(Strides=strides, StartPadding=start, EndPadding=end)
            sizes = tuple(_size(*v) for v in zip(shape[2:], strides, window, start, end, dilations))
            out, end_of_name = (*shape[:2], *sizes), f"_{name}.{kind}.{tag}"
            forward = lambda: [data(70, shape)]
            backward = lambda out=out: [data(70, shape), data(71, out)]
            dilated = dict(**padding, WindowSize=window, Dilations=dilations)
            # Places of a PyTorch index are those of one channel; of DirectML's, of the whole input.
            _case(f"max_pooling2{end_of_name}", "MAX_POOLING2", dilated, forward, [(dtype, out), (np.uint32, out)])
            _case(f"max_pooling_grad{end_of_name}", "MAX_POOLING_GRAD", dilated, backward, [(dtype, shape)], half)
            columns = (shape[0], shape[1] * window[0] * window[1], sizes[0] * sizes[1])
            blocks = dict(**padding, WindowSizes=window, Dilations=dilations)
            _case(f"unfold{end_of_name}", "UNFOLD", blocks, forward, [(dtype, columns)])
            _case(f"fold{end_of_name}", "FOLD", blocks, lambda columns=columns: [data(72, columns)], [(dtype, shape)], half)
            if "dilated" in name:
                continue
            plain = dict(**padding, WindowSize=window)
            _case(f"max_pooling{end_of_name}", "MAX_POOLING", plain, forward, [(dtype, out)])
            for counted in (False, True):
                suffix = "_counted" * counted + end_of_name
                _case(f"average_pooling{suffix}", "AVERAGE_POOLING", dict(**plain, IncludePadding=counted), forward, [(dtype, out)], half)
                _case(f"average_pooling_grad{suffix}", "AVERAGE_POOLING_GRAD", dict(**plain, IncludePadding=counted),
                      lambda out=out: [data(71, out)], [(dtype, shape)], half)
        # Positive numbers: PyTorch's has no absolute value.
        for p in (1, 2, 3):
            _case(f"lp_pooling_{p}.{kind}.{tag}", "LP_POOLING", dict(Strides=[2, 2], WindowSize=[2, 2], StartPadding=[0, 0], EndPadding=[0, 0], P=p),
                  lambda: [positive(70, (2, 5, 22, 26), dtype)], [(dtype, (2, 5, 11, 13))], half)


# Sizes, and whether these name a factor that PyTorch takes as the quotient of the sizes.
RESIZES = {"double": (46, 52), "half": (11, 13), "by_10_over_7": (30, 39), "to_17x19": (17, 19)}


def _resampling(tag, dtype):
    half = HALF if tag == "f16" else []
    n, c, h, w = shape = (2, 3, 23, 26)
    for name, (oh, ow) in RESIZES.items():
        out = (n, c, oh, ow)
        scales = [1.0, 1.0, oh / h, ow / w]
        common = dict(Scales=scales)
        for kind in ("normal", "integers"):
            data = _data(kind, dtype)
            x = lambda data=data: [data(73, shape)]
            end = f"_{name}.{kind}.{tag}"
            centres = dict(InputPixelOffsets=[0.5] * 4, OutputPixelOffsets=[-0.5] * 4)
            _case(f"resample_linear{end}", "RESAMPLE2", dict(InterpolationMode="LINEAR", RoundingDirection="INCREASING", **common, **centres), x,
                  [(dtype, out)], half)
            # Corner on corner: t = q * (n - 1) / (m - 1).
            corners = dict(Scales=[1.0, 1.0, (oh - 1) / (h - 1), (ow - 1) / (w - 1)], InputPixelOffsets=[0.0] * 4, OutputPixelOffsets=[0.0] * 4)
            _case(f"resample_corners{end}", "RESAMPLE2", dict(InterpolationMode="LINEAR", RoundingDirection="INCREASING", **corners), x, [(dtype, out)], half)
            # The element that holds the centre: floor((q + 1/2) / s).
            _case(f"resample_nearest{end}", "RESAMPLE2", dict(InterpolationMode="NEAREST_NEIGHBOR", RoundingDirection="DECREASING", **common,
                                                              InputPixelOffsets=[0.0] * 4, OutputPixelOffsets=[-0.5] * 4), x, [(dtype, out)])
            # floor(q / s).
            _case(f"resample_floor{end}", "RESAMPLE2", dict(InterpolationMode="NEAREST_NEIGHBOR", RoundingDirection="DECREASING", **common,
                                                            InputPixelOffsets=[0.0] * 4, OutputPixelOffsets=[0.0] * 4), x, [(dtype, out)])
            _case(f"resample_grad{end}", "RESAMPLE_GRAD", dict(InterpolationMode="LINEAR", **common, **centres), lambda data=data, out=out: [data(74, out)],
                  [(dtype, shape)], half)
            if name in ("half", "to_17x19"):
                _case(f"resample_antialiased{end}", "RESAMPLE3", dict(InterpolationMode="LINEAR", RoundingDirection="INCREASING", Antialiased=True,
                                                                      **common, **centres), x, [(dtype, out)], half)


def regions(count, height, width, dtype):
    """Regions (x1, y1, x2, y2) of at least a pixel, in sixteenths."""
    first = integers(75, (count, 2), np.float64, 0, 8 * min(height, width))
    return np.concatenate([first, first + integers(76, (count, 2), np.float64, 16, 7 * min(height, width))], 1).astype(dtype) / dtype(16)


def _regions(tag, dtype):
    n, c, h, w = shape = (3, 4, 20, 24)
    rois = lambda: regions(9, h, w, dtype)
    batches = lambda: np.arange(9, dtype=np.uint32) % n
    for kind in ("normal", "integers"):
        data = _data(kind, dtype)
        for function in ("AVERAGE", "MAX"):
            attributes = dict(ReductionFunction=function, InterpolationMode="LINEAR", SpatialScaleX=1.0, SpatialScaleY=1.0, InputPixelOffset=0.5,
                              OutputPixelOffset=-0.5, OutOfBoundsInputValue=0.0, MinimumSamplesPerOutput=2, MaximumSamplesPerOutput=2,
                              AlignRegionsToCorners=False)
            _case(f"roi_align_{function.lower()}.{kind}.{tag}", "ROI_ALIGN1", attributes, lambda data=data: [data(77, shape), rois(), batches()],
                  [(dtype, (9, c, 3, 5))], HALF if tag == "f16" else [])
        _case(f"roi_pooling.{kind}.{tag}", "ROI_POOLING", dict(SpatialScale=1.0, PooledSize=[5, 3]),
              lambda data=data: [data(77, shape), np.concatenate([batches().astype(dtype)[:, None], rois()], 1)[None, None]],
              [(dtype, (9, c, 3, 5))], [dict(float_bins="allow")])


def _normalisation(tag, dtype):
    half = HALF if tag == "f16" else []
    n, c, h, w = shape = (4, 12, 14, 17)
    rows = (1, 1, 64, 768)
    # Means far from 0 beside plain data: what one pass loses.
    kinds = {"normal": lambda seed, s: normal(seed, s, dtype), "shifted": lambda seed, s: (normal(seed, s, np.float64) + 6).astype(dtype)}
    channel = lambda seed, scale=0.5, base=1.0: (normal(seed, (1, c, 1, 1), np.float64, scale) + base).astype(dtype)
    variance = lambda seed: (positive(seed, (1, c, 1, 1), np.float64) + 0.25).astype(dtype)
    wide = lambda v, s=shape: np.broadcast_to(v, s)
    for kind, data in kinds.items():
        end = f".{kind}.{tag}"
        _case(f"batch_normalization{end}", "BATCH_NORMALIZATION", dict(Spatial=True, Epsilon=1e-5),
              lambda data=data: [data(80, shape), channel(81), variance(82), channel(83), channel(84)], [(dtype, shape)], half)
        small = (1, c, 1, 1)
        _case(f"batch_normalization_training{end}", "BATCH_NORMALIZATION_TRAINING", dict(Epsilon=1e-5),
              lambda data=data: [data(80, shape), channel(83), channel(84), None], [(dtype, shape), (dtype, small), (dtype, small)], half)
        for layer, axes, sizes, scale in (("layer", [3], rows, (1, 1, 1, 768)), ("instance", [2, 3], shape, (1, c, 1, 1)), ("group", [2, 3], (n, 3, 4, 238), None)):
            parameter = lambda seed, sizes=sizes, scale=scale: None if scale is None else (normal(seed, scale, np.float64, 0.5) + 1).astype(dtype)
            _case(f"{layer}_norm{end}", "MEAN_VARIANCE_NORMALIZATION1", dict(Axes=axes, NormalizeVariance=True, Epsilon=1e-5),
                  lambda data=data, sizes=sizes, p=parameter: [data(85, sizes), p(86), p(87)], [(dtype, sizes)], half)
        _case(f"rms_norm{end}", "MEAN_VARIANCE_NORMALIZATION2", dict(Axes=[3], UseMean=False, UseVariance=True, Epsilon=1e-5),
              lambda data=data: [data(85, rows), (normal(86, (1, 1, 1, 768), np.float64, 0.5) + 1).astype(dtype), None], [(dtype, rows)], half)
        _case(f"lrn{end}", "LOCAL_RESPONSE_NORMALIZATION", dict(CrossChannel=True, LocalSize=5, Alpha=1e-2, Beta=0.75, Bias=1.0),
              lambda data=data: [data(80, shape)], [(dtype, shape)], half)
        for p in (1, 2):
            _case(f"lp_normalization_{p}{end}", "LP_NORMALIZATION", dict(Axis=3, Epsilon=1e-12, P=p), lambda data=data: [data(85, rows)], [(dtype, rows)], half)


def _sequences(tag, dtype):
    half = HALF if tag == "f16" else []
    steps, batch, size, state = 20, 4, 32, 48
    for direction in ("FORWARD", "BIDIRECTIONAL"):
        d = 2 if direction == "BIDIRECTIONAL" else 1
        _case(f"gru_{direction.lower()}.{tag}", "GRU", dict(Direction=direction, LinearBeforeReset=True, ActivationDescs=["ACTIVATION_SIGMOID", "ACTIVATION_TANH"] * d),
              lambda d=d: [normal(40, (1, steps, batch, size), dtype), normal(41, (1, d, 3 * state, size), dtype, 0.2),
                           normal(42, (1, d, 3 * state, state), dtype, 0.15), normal(43, (1, 1, d, 6 * state), dtype, 0.1),
                           normal(44, (1, d, batch, state), dtype, 0.3), None],
              [(dtype, (steps, d, batch, state)), (dtype, (1, d, batch, state))], half)
    for name, b, s, t, heads, width in (("self", 2, 64, 64, 4, 64), ("long", 1, 16, 1024, 2, 64), ("decode", 2, 1, 333, 4, 32)):
        for masked in ("", "_causal") if s == t else ("",):
            make = lambda b=b, s=s, t=t, e=heads * width, masked=masked, heads=heads: [
                normal(90, (b, s, e), dtype), normal(91, (b, t, e), dtype), normal(92, (b, t, e), dtype), None, None, None, None,
                np.broadcast_to(np.tril(np.ones((s, t), np.int32)), (b, heads, s, t)) if masked else None, None, None, None]
            _case(f"attention_{name}{masked}.{tag}", "MULTIHEAD_ATTENTION",
                  dict(Scale=width**-0.5, MaskFilterValue=-1e9 if tag == "f32" else -1e4, HeadCount=heads, MaskType="BOOLEAN" if masked else "NONE"), make,
                  [(dtype, (b, s, heads * width)), None, None], half)
    # Groups of four query heads share a key head.
    for masked in ("", "_causal"):
        b, s, heads, groups, width = 2, 48, 8, 2, 32
        _case(f"attention_grouped{masked}.{tag}", "MULTIHEAD_ATTENTION1",
              dict(Scale=width**-0.5, MaskFilterValue=-1e9 if tag == "f32" else -1e4, QueryHeadCount=heads, KeyValueHeadCount=groups, MaskType="BOOLEAN" if masked else "NONE"),
              lambda b=b, s=s, masked=masked: [normal(90, (b, s, heads * width), dtype), normal(91, (b, s, groups * width), dtype), normal(92, (b, s, groups * width), dtype),
                                               None, None, None, None, np.broadcast_to(np.tril(np.ones((s, s), np.int32)), (b, heads, s, s)) if masked else None,
                                               None, None, None, None], [(dtype, (b, s, heads * width)), None, None], half)


def _gradients(tag, dtype):
    half = HALF if tag == "f16" else []
    n, c, h, w = shape = (4, 12, 14, 17)
    small = (1, c, 1, 1)
    kinds = {"normal": lambda seed: normal(seed, shape, dtype), "shifted": lambda seed: (normal(seed, shape, np.float64) + 3).astype(dtype)}
    scale = lambda: (normal(83, small, np.float64, 0.5) + 1).astype(dtype)
    for kind, data in kinds.items():
        end = f".{kind}.{tag}"

        def trained(data=data):  # the statistics of the input, which the forward operator gives
            x = data(80)
            wide = x.astype(np.float64)
            return [x, normal(88, shape, dtype), *(v.astype(dtype) for v in (wide.mean((0, 2, 3), keepdims=True), wide.var((0, 2, 3), keepdims=True))), scale()]

        results = [(dtype, shape), (dtype, small), (dtype, small)]
        _case(f"batch_normalization_training_grad{end}", "BATCH_NORMALIZATION_TRAINING_GRAD", dict(Epsilon=1e-5), trained, results, half)
        _case(f"batch_normalization_grad{end}", "BATCH_NORMALIZATION_GRAD", dict(Epsilon=1e-5),
              lambda data=data: [data(80), normal(88, shape, dtype), normal(81, small, dtype, 0.5), (positive(82, small, np.float64) + 0.25).astype(dtype), scale()],
              results, half)
        _case(f"lrn_grad{end}", "LOCAL_RESPONSE_NORMALIZATION_GRAD", dict(CrossChannel=True, LocalSize=5, Alpha=1e-2, Beta=0.75, Bias=1.0),
              lambda data=data: [data(80), normal(88, shape, dtype)], [(dtype, shape)], half)
    n, c, h, w = images = (3, 4, 20, 24)
    _case(f"roi_align_grad.{tag}", "ROI_ALIGN_GRAD",
          dict(ReductionFunction="AVERAGE", InterpolationMode="LINEAR", SpatialScaleX=1.0, SpatialScaleY=1.0, InputPixelOffset=0.5, OutputPixelOffset=-0.5,
               MinimumSamplesPerOutput=2, MaximumSamplesPerOutput=2, AlignRegionsToCorners=False),
          lambda: [None, normal(89, (9, c, 3, 5), dtype), regions(9, h, w, dtype), np.arange(9, dtype=np.uint32) % n], [(dtype, images), None], half)
    parameters = (1, 1, 30, 40)
    for step in (1, 10, 1000):
        _case(f"adam_{step}.{tag}", "ADAM_OPTIMIZER", dict(LearningRate=1e-3, Beta1=0.9, Beta2=0.999, Epsilon=0.0),
              lambda step=step: [normal(94, parameters, dtype), normal(95, parameters, dtype, 0.1), (positive(96, parameters, np.float64) + 0.01).astype(dtype),
                                 normal(97, parameters, dtype), np.full((1, 1, 1, 1), step, np.uint32)], [(dtype, parameters)] * 3, half)
    _case(f"value_scale_2d.{tag}", "VALUE_SCALE_2D", dict(Scale=0.0125, Bias=[-0.5, 0.25, -1.75]), lambda: [normal(98, (2, 3, 20, 24), dtype, 30.0)],
          [(dtype, (2, 3, 20, 24))], half)


for _tag, _dtype in FLOATS.items():
    for _add in (_windows, _resampling, _regions, _normalisation, _sequences, _gradients):
        _add(_tag, _dtype)
assert len({c.name for c in CASES}) == len(CASES)


# --- PyTorch ---------------------------------------------------------------------------------------------------------------------


def torch_functions(torch):
    F = torch.nn.functional

    def gradient_of(forward, x, g):
        v = x.clone().requires_grad_(True)
        forward(v).backward(g)
        return v.grad

    def max_options(a):
        return dict(kernel_size=a["WindowSize"], stride=a["Strides"], padding=a["StartPadding"], dilation=a.get("Dilations", [1, 1]))

    def max_pooling(x, a, case):
        if len(case.outputs) == 1:
            return F.max_pool2d(x[0], **max_options(a))
        y, index = F.max_pool2d(x[0], **max_options(a), return_indices=True)
        n, c, h, w = x[0].shape
        return [y, index + torch.arange(n * c, device=y.device).reshape(n, c, 1, 1) * (h * w)]

    def average_options(a):
        return dict(kernel_size=a["WindowSize"], stride=a["Strides"], padding=a["StartPadding"], count_include_pad=a["IncludePadding"])

    def blocks(a):
        return dict(kernel_size=a["WindowSizes"], dilation=a["Dilations"], padding=a["StartPadding"], stride=a["Strides"])

    def resample(v, a, case, sizes):
        if a["InterpolationMode"].startswith("NEAREST"):
            return F.interpolate(v, sizes, mode="nearest-exact" if "resample_nearest" in case.name else "nearest")
        return F.interpolate(v, sizes, mode="bilinear", align_corners="corners" in case.name, antialias=bool(a.get("Antialiased")))

    def resample_grad(x, a, case):
        zeros = torch.zeros(case.outputs[0][1], dtype=x[0].dtype, device=x[0].device)
        return gradient_of(lambda v: resample(v, a, case, x[0].shape[2:]), zeros, x[0])

    def roi_align(x, a, case):
        if a["ReductionFunction"] != "AVERAGE":
            return None
        ops = importlib.import_module("torchvision.ops")
        return ops.roi_align(x[0], torch.cat([x[2][:, None].to(x[1].dtype), x[1]], 1), case.outputs[0][1][2:], 1.0, 2, aligned=True)

    def roi_pooling(x, a, case):
        return importlib.import_module("torchvision.ops").roi_pool(x[0], x[1][0, 0], case.outputs[0][1][2:], 1.0)

    flat = lambda v: None if v is None else v.flatten()

    def normalization(x, a, case):
        if case.name.startswith("layer"):
            return F.layer_norm(x[0], x[0].shape[3:], flat(x[1]), flat(x[2]), a["Epsilon"])
        if case.name.startswith("instance"):
            return F.instance_norm(x[0], weight=flat(x[1]), bias=flat(x[2]), eps=a["Epsilon"])
        n, groups, c, s = x[0].shape
        return F.group_norm(x[0].reshape(n, groups * c, s), groups, eps=a["Epsilon"]).reshape(x[0].shape)

    def training(x, a, case):
        y, mean, _ = torch.native_batch_norm(x[0], flat(x[1]), flat(x[2]), None, None, True, 0.0, a["Epsilon"])
        variance = x[0].float().var((0, 2, 3), unbiased=False).to(x[0].dtype)
        return [y, mean.to(y.dtype).reshape(1, -1, 1, 1), variance.reshape(1, -1, 1, 1)]

    def gru(x, a, case):
        i, w, r, b, h = x[:5]
        state, both = r.shape[3], a["Direction"] == "BIDIRECTIONAL"
        layer = torch.nn.GRU(i.shape[3], state, 1, bidirectional=both).to(i.device).to(i.dtype)
        order = [1, 0, 2]  # DirectML: update, reset, hidden; PyTorch: reset, update, hidden
        gates = lambda v: torch.cat([v[g * state:(g + 1) * state] for g in order])
        with torch.no_grad():
            for d, suffix in ((0, ""), (1, "_reverse"))[:1 + both]:
                half = b.shape[3] // 2
                for name, value in (("weight_ih", w[0, d]), ("weight_hh", r[0, d]), ("bias_ih", b[0, 0, d, :half]), ("bias_hh", b[0, 0, d, half:])):
                    getattr(layer, f"{name}_l0{suffix}").copy_(gates(value))
            y, end = layer(i[0], h[0])
        steps, batch = y.shape[:2]
        return [y.reshape(steps, batch, 1 + both, state).transpose(1, 2), end[None]]

    def attention(x, a, case):
        heads = a.get("HeadCount") or a["QueryHeadCount"]
        split = lambda v, heads: v.reshape(*v.shape[:2], heads, -1).transpose(1, 2)
        q, k, v = (split(t, n) for t, n in zip(x, (heads, *[a.get("KeyValueHeadCount", heads)] * 2)))
        grouped = dict(enable_gqa=True) if "KeyValueHeadCount" in a else {}
        y = F.scaled_dot_product_attention(q, k, v, is_causal="causal" in case.name, scale=a["Scale"], **grouped)
        return y.transpose(1, 2).reshape(case.outputs[0][1])

    def batch_gradient(x, a, case):
        v, g, mean, variance, scale = x
        training = "TRAINING" in case.operator
        mean, variance, scale = (flat(w).float() for w in (mean, variance, scale))
        found = torch.ops.aten.native_batch_norm_backward(g, v, scale, mean, variance, mean, torch.rsqrt(variance + a["Epsilon"]), training, a["Epsilon"],
                                                          [True, True, True])
        return [found[0], *(w.to(v.dtype).reshape(1, -1, 1, 1) for w in found[1:])]

    def roi_align_gradient(x, a, case):
        forward = importlib.import_module("torchvision.ops").roi_align
        boxes = torch.cat([x[3][:, None].to(x[2].dtype), x[2]], 1)
        zeros = torch.zeros(case.outputs[0][1], dtype=x[1].dtype, device=x[1].device)
        return gradient_of(lambda v: forward(v, boxes, x[1].shape[2:], 1.0, 2, aligned=True), zeros, x[1])

    def adam(x, a, case):  # Epsilon is 0: PyTorch adds it to another root
        value, first, second, gradient = (v.clone() for v in x[:4])
        step = torch.tensor(float(x[4].flatten()[0]) - 1)  # which it counts up
        importlib.import_module("torch.optim.adam").adam([value], [gradient], [first], [second], [], [step], foreach=False, amsgrad=False, beta1=a["Beta1"], beta2=a["Beta2"],
                              lr=a["LearningRate"], weight_decay=0.0, eps=a["Epsilon"], maximize=False)
        return [value, first, second]

    local = lambda v, a: F.local_response_norm(v, a["LocalSize"], a["Alpha"], a["Beta"], a["Bias"])

    return {
        "MAX_POOLING": max_pooling, "MAX_POOLING2": max_pooling, "MAX_POOLING_GRAD": lambda x, a, case: gradient_of(lambda v: F.max_pool2d(v, **max_options(a)), *x),
        "AVERAGE_POOLING": lambda x, a, case: F.avg_pool2d(x[0], **average_options(a)),
        "AVERAGE_POOLING_GRAD": lambda x, a, case: gradient_of(lambda v: F.avg_pool2d(v, **average_options(a)), torch.zeros(case.outputs[0][1], dtype=x[0].dtype, device=x[0].device), x[0]),
        "LP_POOLING": lambda x, a, case: F.lp_pool2d(x[0], float(a["P"]), a["WindowSize"], a["Strides"]),
        "UNFOLD": lambda x, a, case: F.unfold(x[0], **blocks(a)), "FOLD": lambda x, a, case: F.fold(x[0], case.outputs[0][1][2:], **blocks(a)),
        "RESAMPLE2": lambda x, a, case: resample(x[0], a, case, case.outputs[0][1][2:]), "RESAMPLE3": lambda x, a, case: resample(x[0], a, case, case.outputs[0][1][2:]),
        "RESAMPLE_GRAD": resample_grad, "ROI_ALIGN1": roi_align, "ROI_POOLING": roi_pooling,
        "BATCH_NORMALIZATION": lambda x, a, case: F.batch_norm(x[0], flat(x[1]), flat(x[2]), flat(x[3]), flat(x[4]), False, 0.0, a["Epsilon"]),
        "BATCH_NORMALIZATION_TRAINING": training, "MEAN_VARIANCE_NORMALIZATION1": normalization,
        "MEAN_VARIANCE_NORMALIZATION2": lambda x, a, case: F.rms_norm(x[0], x[0].shape[3:], flat(x[1]), a["Epsilon"]),
        "LOCAL_RESPONSE_NORMALIZATION": lambda x, a, case: local(x[0], a),
        "LOCAL_RESPONSE_NORMALIZATION_GRAD": lambda x, a, case: gradient_of(lambda v: local(v, a), *x),
        "BATCH_NORMALIZATION_GRAD": batch_gradient, "BATCH_NORMALIZATION_TRAINING_GRAD": batch_gradient, "ROI_ALIGN_GRAD": roi_align_gradient, "ADAM_OPTIMIZER": adam,
        "VALUE_SCALE_2D": lambda x, a, case: x[0] * a["Scale"] + torch.tensor(a["Bias"], dtype=x[0].dtype, device=x[0].device).reshape(1, -1, 1, 1),
        "LP_NORMALIZATION": lambda x, a, case: F.normalize(x[0], float(a["P"]), a["Axis"], a["Epsilon"]),
        "GRU": gru, "MULTIHEAD_ATTENTION": attention, "MULTIHEAD_ATTENTION1": attention, **quantised.torch_functions(torch),
    }


def attention_kernels(torch, f, x, a, case):
    """The kernels of PyTorch's attention on a GPU, one by one."""
    attention = importlib.import_module("torch.nn.attention")
    for name in ("MATH", "EFFICIENT_ATTENTION", "FLASH_ATTENTION", "CUDNN_ATTENTION"):
        if name in ("FLASH_ATTENTION", "CUDNN_ATTENTION") and x[0].dtype == torch.float32:
            continue  # they have no FLOAT32

        def run(name=name):
            with attention.sdpa_kernel(getattr(attention.SDPBackend, name)):
                return f(x, a, case)

        yield name.lower().replace("_", " "), run


# --- ONNX ------------------------------------------------------------------------------------------------------------------------


def onnx_model(case):
    """(operator, attributes, inputs) or None, as onnx_models.model()."""
    a, x, name = case.attributes, case.make(), case.operator
    flat = lambda v: None if v is None else np.ascontiguousarray(v).flatten()
    if name in ("MAX_POOLING", "MAX_POOLING2", "AVERAGE_POOLING", "LP_POOLING"):
        options = dict(kernel_shape=a["WindowSize"], strides=a["Strides"], pads=[*a["StartPadding"], *a["EndPadding"]])
        if name.startswith("MAX"):
            return "MaxPool", dict(**options, dilations=a.get("Dilations", [1, 1])), x
        return ("AveragePool", dict(**options, count_include_pad=int(a["IncludePadding"])), x) if name[0] == "A" else ("LpPool", dict(**options, p=a["P"]), x)
    if name == "FOLD":
        return "Col2Im", dict(strides=a["Strides"], pads=[*a["StartPadding"], *a["EndPadding"]], dilations=a["Dilations"]), \
            [x[0], np.array(case.outputs[0][1][2:], np.int64), np.array(a["WindowSizes"], np.int64)]
    if name in ("RESAMPLE2", "RESAMPLE3"):
        nearest = a["InterpolationMode"].startswith("NEAREST")
        way = "align_corners" if "corners" in case.name else "asymmetric" if "floor" in case.name else "half_pixel"
        options = dict(mode="nearest" if nearest else "linear", coordinate_transformation_mode=way, antialias=int(bool(a.get("Antialiased"))))
        if nearest:  # half_pixel rounds (q + 1/2) / s - 1/2
            options["nearest_mode"] = "floor" if "floor" in case.name else "round_prefer_ceil"
        return "Resize", options, [x[0], None, None, np.array(case.outputs[0][1], np.int64)]
    if name == "ROI_ALIGN1":
        return "RoiAlign", dict(mode="avg" if a["ReductionFunction"] == "AVERAGE" else "max", output_height=3, output_width=5, sampling_ratio=2,
                                coordinate_transformation_mode="half_pixel"), [x[0], x[1], x[2].astype(np.int64)]
    if name == "ROI_POOLING":
        return "MaxRoiPool", dict(pooled_shape=[3, 5]), [x[0], x[1][0, 0]]
    if name == "BATCH_NORMALIZATION":
        return "BatchNormalization", dict(epsilon=a["Epsilon"]), [x[0], *(flat(x[i]) for i in (3, 4, 1, 2))]
    if name == "MEAN_VARIANCE_NORMALIZATION1" and "group" not in case.name:
        if "layer" in case.name:
            return "LayerNormalization", dict(axis=3, epsilon=a["Epsilon"]), [x[0], flat(x[1]), flat(x[2])]
        return "InstanceNormalization", dict(epsilon=a["Epsilon"]), [x[0], flat(x[1]), flat(x[2])]
    if name == "LOCAL_RESPONSE_NORMALIZATION":
        return "LRN", dict(size=a["LocalSize"], alpha=a["Alpha"], beta=a["Beta"], bias=a["Bias"]), x
    if name == "LP_NORMALIZATION":
        return "LpNormalization", dict(axis=a["Axis"], p=a["P"]), x
    if name == "GRU":
        return "GRU", dict(hidden_size=x[2].shape[3], linear_before_reset=1, direction="bidirectional" if a["Direction"] == "BIDIRECTIONAL" else "forward"), \
            [x[0][0], x[1][0], x[2][0], x[3][0, 0], None, x[4][0]]
    return quantised.onnx_model(case)
