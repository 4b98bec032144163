"""The workloads of workloads.hpp as NumPy, PyTorch and ONNX Runtime compute them: data of the same shape and distribution,
the peers' own operations on memory that was touched before, the outputs of their own types.

make(name, quick, libraries) gives (least bytes read, least bytes written, expected result, variants); a variant is
(library, run, result). Where a library has several ways to say the same, each is a variant, and the fastest counts."""
import sys

import numpy


# Functions that libraries do not round exactly: the number of inputs, how NumPy and PyTorch compute them, ONNX's operator.
ROUNDED = {
    "exp_f32": (1, lambda i, o: numpy.exp(*i, out=o), lambda torch, i, o: torch.exp(*i, out=o), "Exp"),
    "log_f32": (1, lambda i, o: numpy.log(*i, out=o), lambda torch, i, o: torch.log(*i, out=o), "Log"),
    "sin_f32": (1, lambda i, o: numpy.sin(*i, out=o), lambda torch, i, o: torch.sin(*i, out=o), "Sin"),
    "tanh_f32": (1, lambda i, o: numpy.tanh(*i, out=o), lambda torch, i, o: torch.tanh(*i, out=o), "Tanh"),
    "gelu_f32": (1, None, lambda torch, i, o: torch._C._nn.gelu(*i, out=o), None),
    "pow_f32": (2, lambda i, o: numpy.power(*i, out=o), lambda torch, i, o: torch.pow(*i, out=o), "Pow"),
    "difference_square_f32": (2, lambda i, o: numpy.square(numpy.subtract(*i, out=o), out=o),
                              lambda torch, i, o: torch.sub(*i, out=o).square_(), None),
    "modulus_floor_f32": (2, lambda i, o: numpy.mod(*i, out=o), None, None),
    "atan_yx_f32": (2, lambda i, o: numpy.arctan2(*i, out=o), lambda torch, i, o: torch.atan2(*i, out=o), None)}
ROUNDED_LAYERS = ("average_pooling", "max_pooling_grad", "resize_bilinear", "normalise", "batch_normalise", "attention", "lstm")
# Exact ones.
EXACT = {
    "threshold_f32": (1, lambda i, o: numpy.maximum(i[0], numpy.float32(-0.5), out=o), lambda torch, i, o: torch.clamp_min(i[0], -0.5, out=o), None),
    "clip_grad_f32": (2, lambda i, o: numpy.multiply(i[1], (i[0] > -0.5) & (i[0] < 0.5), out=o),
                      lambda torch, i, o: torch.ops.aten.hardtanh_backward(i[1], i[0], -0.5, 0.5, grad_input=o), None),
    "relu_grad_f32": (2, lambda i, o: numpy.multiply(i[1], i[0] > 0, out=o),
                      lambda torch, i, o: torch.ops.aten.threshold_backward(i[1], i[0], 0, grad_input=o), None)}


def scaled(size, quick):
    if not quick or size <= 128:
        return size
    return 16384 if size > 65536 else 128


def random(shape, dtype):
    generator = numpy.random.default_rng(int(numpy.prod(shape)))
    if numpy.issubdtype(dtype, numpy.integer):
        limits = numpy.iinfo(dtype)
        return generator.integers(limits.min, limits.max, shape, dtype, endpoint=True)
    return (generator.random(shape, numpy.float32) * 2 - 1).astype(dtype)


class Variants(list):
    """Collects variants; `libraries` has numpy and, where they are there, torch and onnxruntime."""

    def __init__(self, libraries):
        super().__init__()
        self.torch = libraries.get("torch")
        self.onnxruntime = libraries.get("onnxruntime")

    def numpy(self, run, result=None):
        self.append(("NumPy", run, result or run))

    def pytorch(self, run, result=None):
        self.append(("PyTorch", run, result or run))

    def onnx(self, operator, inputs, output, **attributes):
        if self.onnxruntime:
            self.append(("ONNX Runtime", *self.onnxruntime.prepare(operator, inputs, output, **attributes)))


def argmin(shape, axis, dtype, variants, view=None):
    """axis None: all. view: what to make of the array before."""
    memory = random(shape, dtype)
    x = view(memory) if view else memory
    expected = numpy.argmin(x, axis)
    out = numpy.zeros(numpy.shape(expected), numpy.int64)
    variants.numpy(lambda: numpy.argmin(x, axis, out=out))
    if variants.torch and dtype != numpy.float16:  # "argmin" is not implemented for Half on its CPU
        t = variants.torch.from_numpy(memory).as_strided(x.shape, [stride // x.itemsize for stride in x.strides])
        t_out = variants.torch.from_numpy(out)
        variants.pytorch(lambda: variants.torch.argmin(t, axis, out=t_out), lambda: variants.torch.argmin(t, axis))
    if not view:
        kept = expected if axis is None else numpy.expand_dims(expected, axis)
        onnx_out = numpy.zeros(numpy.atleast_1d(kept).shape, numpy.int64)
        variants.onnx("ArgMin", [memory], onnx_out, axis=axis or 0, keepdims=1)
    return memory.nbytes, expected.size * 4, expected


def nonzero(side, dtype, percent, variants, transposed=False):
    generator = numpy.random.default_rng(percent)
    memory = (generator.integers(0, 100, (1, 1, side, side), numpy.uint8) < percent).astype(dtype)
    x = memory.transpose(0, 1, 3, 2) if transposed else memory
    expected = numpy.argwhere(x)
    variants.numpy(lambda: numpy.nonzero(x), lambda: numpy.transpose(numpy.nonzero(x)))
    variants.numpy(lambda: numpy.argwhere(x))
    if variants.torch:
        t = variants.torch.from_numpy(x)
        variants.pytorch(lambda: variants.torch.nonzero(t))
    if not transposed:
        run_and_result = Variants({"onnxruntime": variants.onnxruntime})
        run_and_result.onnx("NonZero", [memory], "int64")
        variants.extend((who, run, lambda result=result: result().T) for who, run, result in run_and_result)
    return memory.nbytes, expected.size * 4 + 4, expected


def scatter(places, slice_size, tuples, variants):
    generator = numpy.random.default_rng(places)
    x = random((places, slice_size) if slice_size > 1 else (places,), numpy.float32)
    where = generator.permutation(places)[:tuples]
    updates = random((tuples, slice_size) if slice_size > 1 else (tuples,), numpy.float32)
    out = numpy.zeros_like(x)
    expected = x.copy()
    expected[where] = updates

    def assign():
        numpy.copyto(out, x)
        out[where] = updates
        return out

    def put():
        numpy.copyto(out, x)
        numpy.put(out, where, updates)
        return out

    variants.numpy(assign)
    if slice_size == 1:
        variants.numpy(put)
    if variants.torch:
        torch_x, torch_where, torch_updates, torch_out = map(variants.torch.from_numpy, (x, where, updates, out))
        variants.pytorch(lambda: torch_out.copy_(torch_x).index_copy_(0, torch_where, torch_updates))
        variants.pytorch(lambda: torch_out.copy_(torch_x).index_put_((torch_where,), torch_updates))
        if slice_size == 1:
            variants.pytorch(lambda: torch_out.copy_(torch_x).scatter_(0, torch_where, torch_updates))
    variants.onnx("ScatterND", [x, where.reshape(-1, 1), updates], numpy.zeros_like(x))
    return x.nbytes + tuples * 4, x.nbytes, expected


def diagonal(batch, side, begin, end, value, keep, variants):
    """begin None: from the lowest diagonal on."""
    x = random((batch, side, side), numpy.float32) if keep else None
    out = numpy.zeros((batch, side, side), numpy.float32)
    distance = numpy.arange(side) - numpy.arange(side)[:, None]
    filled = distance < end if begin is None else (distance >= begin) & (distance < end)
    expected = numpy.where(filled, numpy.float32(value), x if keep else numpy.float32(0)) + numpy.zeros_like(out)
    torch = variants.torch
    torch_out = torch.from_numpy(out) if torch else None
    torch_x = torch.from_numpy(x) if torch and keep else None
    if begin is not None:  # a band: zeros everything, then writes each diagonal through a view
        flat = out.reshape(batch, -1)
        diagonals = [flat[:, k : (side - k) * side : side + 1] if k >= 0 else flat[:, -k * side :: side + 1]
                     for k in range(begin, end)]
        torch_diagonals = [torch_out.diagonal(k, 1, 2) for k in range(begin, end)] if torch else []

        def band():
            numpy.copyto(out, x if keep else 0)
            for view in diagonals:
                view[...] = value
            return out

        def torch_band():
            torch_out.copy_(torch_x) if keep else torch_out.zero_()
            for view in torch_diagonals:
                view.fill_(value)
            return torch_out

        variants.numpy(band)
        if torch:
            variants.pytorch(torch_band)
    elif keep:  # triu
        variants.numpy(lambda: numpy.triu(x))
        if torch:
            variants.pytorch(lambda: torch.triu(torch_x, out=torch_out))
        variants.onnx("Trilu", [x], numpy.zeros_like(x), upper=1)
    else:  # a triangle of ones

        def triangle():
            numpy.copyto(out, numpy.tri(side, dtype=numpy.float32))
            return out

        variants.numpy(triangle)
        if torch:
            variants.pytorch(lambda: torch_out.fill_(1).tril_())
    read = 0 if not keep else 4 * batch * int(numpy.count_nonzero(~filled))
    return read, out.nbytes, expected


def moved(variants, inputs, out, run_numpy, run_torch, expected, onnx=None, read=None):
    """run_numpy(out) and run_torch(tensors, out) write the output; read: the bytes that the result depends on."""
    def by_numpy():
        run_numpy(out)
        return out

    if run_numpy:
        variants.numpy(by_numpy)
    if variants.torch and run_torch:
        tensors = [variants.torch.from_numpy(x) for x in inputs]
        torch_out = variants.torch.from_numpy(out)

        def by_torch():
            run_torch(tensors, torch_out)
            return torch_out

        variants.pytorch(by_torch)
    if onnx:
        operator, onnx_inputs, attributes = onnx
        variants.onnx(operator, onnx_inputs, numpy.zeros_like(out), **attributes)
    return sum(x.nbytes for x in inputs) if read is None else read, out.nbytes, expected


def moves(name, quick, v):
    """The workloads of moves.cpp; None for others."""
    n = lambda size: scaled(size, quick)
    f32, f16 = numpy.float32, numpy.float16
    side, rows = n(4096), n(1 << 20)
    half, quarter, count = side // 2, side // 4, side * side
    torch = v.torch
    x = lambda *shape: random(shape, f32)
    zeros = lambda *shape: numpy.zeros(shape, f32)
    if name == "slice_f32":
        w, a, out = quarter * 3, x(side, side), zeros(quarter * 3, quarter * 3)
        cut = numpy.s_[8 : 8 + w, 8 : 8 + w]
        return moved(v, [a], out, lambda o: numpy.copyto(o, a[cut]), lambda t, o: o.copy_(t[0][cut]), a[cut].copy(), read=out.nbytes)
    if name == "join_f32":
        a, b, out = x(side, half), x(side, half), zeros(side, side)
        return moved(v, [a, b], out, lambda o: numpy.concatenate((a, b), 1, out=o), lambda t, o: torch.cat(t, 1, out=o),
                     numpy.concatenate((a, b), 1), ("Concat", [a, b], {"axis": 1}))
    if name == "split_f32":
        a, out = x(side, side), zeros(2, side, half)

        def split(source, target):
            for part in range(2):
                target[part] = source[:, part * half : (part + 1) * half]

        expected = numpy.stack((a[:, :half], a[:, half:]))
        return moved(v, [a], out, lambda o: split(a, o), lambda t, o: split(t[0], o), expected)
    if name == "tile_f32":
        a, out = x(quarter, quarter), zeros(side, side)
        return moved(v, [a], out, lambda o: numpy.copyto(o.reshape(4, quarter, 4, quarter), a[:, None, :]),
                     lambda t, o: o.view(4, quarter, 4, quarter).copy_(t[0][:, None, :]), numpy.tile(a, (4, 4)))
    if name == "padding_f32":
        a, out = x(side - 32, side - 32), zeros(side, side)

        def pad(source, target, fill):
            fill(1)
            target[16:-16, 16:-16] = source

        return moved(v, [a], out, lambda o: pad(a, o, o.fill), lambda t, o: pad(t[0], o, o.fill_),
                     numpy.pad(a, 16, constant_values=1))
    if name == "transpose_f32":
        a, out = x(side, side), zeros(side, side)
        return moved(v, [a], out, lambda o: numpy.copyto(o, a.T), lambda t, o: o.copy_(t[0].t()), a.T.copy(),
                     ("Transpose", [a], {"perm": [1, 0]}))
    if name == "depth_to_space_f32":
        a, out = x(1, 4, half, half), zeros(1, 1, side, side)
        expected = a.reshape(2, 2, half, half).transpose(2, 0, 3, 1).reshape(1, 1, side, side).copy()
        return moved(v, [a], out,
                     lambda o: numpy.copyto(o.reshape(half, 2, half, 2), a.reshape(2, 2, half, half).transpose(2, 0, 3, 1)),
                     lambda t, o: o.view(half, 2, half, 2).copy_(t[0].view(2, 2, half, half).permute(2, 0, 3, 1)), expected,
                     ("DepthToSpace", [a], {"blocksize": 2}))
    if name in ("cast_f32_f16", "cast_f16_f32"):
        a = x(count) if name == "cast_f32_f16" else x(count).astype(f16)
        out = numpy.zeros(count, f16 if name == "cast_f32_f16" else f32)
        return moved(v, [a], out, lambda o: numpy.copyto(o, a, casting="unsafe"), lambda t, o: o.copy_(t[0]), a.astype(out.dtype))
    if name == "greater_f32":
        a, b, out = x(count), x(count)[::-1].copy(), numpy.zeros(count, bool)
        return moved(v, [a, b], out, lambda o: numpy.greater(a, b, out=o), lambda t, o: torch.gt(t[0], t[1], out=o), a > b,
                     ("Greater", [a, b], {}))
    if name == "where_f32":
        c = numpy.random.default_rng(1).integers(0, 2, count, numpy.uint8).astype(bool)
        a, b, out = x(count), x(count)[::-1].copy(), zeros(count)
        return moved(v, [c, a, b], out, lambda o: numpy.copyto(o, numpy.where(c, a, b)),
                     lambda t, o: o.copy_(torch.where(*t)), numpy.where(c, a, b),
                     ("Where", [c, a, b], {}))
    if name == "clip_f32":
        a, out = x(count), zeros(count)
        return moved(v, [a], out, lambda o: numpy.clip(a, -0.5, 0.5, out=o),
                     lambda t, o: torch.clamp(t[0], -0.5, 0.5, out=o), numpy.clip(a, f32(-0.5), f32(0.5)))
    if name in ("floor_f32", "round_f32", "floor_f16"):
        a = x(count).astype(f16 if name == "floor_f16" else f32)
        out = numpy.zeros_like(a)
        f, g, operator = ((numpy.floor, torch and torch.floor, "Floor") if name.startswith("floor") else
                          (numpy.rint, torch and torch.round, "Round"))
        on_torch = None if name == "floor_f16" else lambda t, o: g(t[0], out=o)  # not implemented for Half
        on_onnx = None if name == "floor_f16" else (operator, [a], {})
        return moved(v, [a], out, lambda o: f(a, out=o), on_torch, f(a), on_onnx)
    if name == "scale_bias_f32":  # a power of two: two roundings are one
        a, out = x(count), zeros(count)

        return moved(v, [a], out, lambda o: (numpy.multiply(a, f32(0.5), out=o), numpy.add(o, f32(0.25), out=o)),
                     lambda t, o: torch.mul(t[0], 0.5, out=o).add_(0.25), a * f32(0.5) + f32(0.25))
    if name in ("add_f32", "multiply_f32", "divide_f32"):
        a, b, out = x(count), x(count)[::-1].copy(), zeros(count)
        b[b == 0] = 1
        f, g, operator = {"add_f32": (numpy.add, torch and torch.add, "Add"),
                          "multiply_f32": (numpy.multiply, torch and torch.mul, "Mul"),
                          "divide_f32": (numpy.divide, torch and torch.div, "Div")}[name]
        return moved(v, [a, b], out, lambda o: f(a, b, out=o), lambda t, o: g(t[0], t[1], out=o), f(a, b),
                     (operator, [a, b], {}))
    if name in ROUNDED or name in EXACT:
        inputs, by_numpy, by_torch, operator = (ROUNDED | EXACT)[name]
        a, out = x(count), zeros(count)
        if name in ("log_f32", "pow_f32"):
            a = numpy.abs(a)
        operands = [a] if inputs == 1 else [a, a[::-1].copy()]
        if not by_numpy and not torch:
            return None
        on_torch = by_torch and (lambda t, o: by_torch(torch, t, o))
        expected = zeros(count)
        if by_numpy:
            by_numpy(operands, expected)
        else:
            by_torch(torch, [torch.from_numpy(each) for each in operands], torch.from_numpy(expected))
        return moved(v, operands, out, by_numpy and (lambda o: by_numpy(operands, o)), on_torch, expected,
                     operator and (operator, operands, {}))
    if name == "hardmax_f32":
        a, out, expected = x(side, side), zeros(side, side), zeros(side, side)
        rows = numpy.arange(side)
        expected[rows, a.argmax(1)] = 1

        def by_numpy(o):
            o.fill(0)
            o[rows, a.argmax(1)] = 1
        return moved(v, [a], out, by_numpy, lambda t, o: o.zero_().scatter_(1, t[0].argmax(1, keepdim=True), 1), expected,
                     ("Hardmax", [a], {"axis": 1}))
    if name in ("sum_f32_rows", "sum_f32_columns"):  # of integers, whose sums are the same in every order
        axis = 1 if name == "sum_f32_rows" else 0
        a = numpy.random.default_rng(axis).integers(-64, 65, (side, side)).astype(f32)
        out = zeros(*((side, 1) if axis == 1 else (1, side)))
        return moved(v, [a], out, lambda o: numpy.sum(a, axis, out=o, keepdims=True),
                     lambda t, o: torch.sum(t[0], axis, keepdim=True, out=o), a.sum(axis, keepdims=True),
                     ("ReduceSum", [a, numpy.array([axis], numpy.int64)], {"keepdims": 1}))
    if name in ("cumulative_sum_f32_rows", "cumulative_sum_f32_columns"):  # of integers, as above
        axis = 1 if name == "cumulative_sum_f32_rows" else 0
        a, out = numpy.random.default_rng(axis).integers(-64, 65, (side, side)).astype(f32), zeros(side, side)
        return moved(v, [a], out, lambda o: numpy.cumsum(a, axis, out=o), lambda t, o: torch.cumsum(t[0], axis, out=o),
                     a.cumsum(axis), ("CumSum", [a, numpy.array(axis, numpy.int64)], {}))
    if name == "gather_rows":
        a, out = x(rows, 64), zeros(rows // 4, 64)
        where = numpy.random.default_rng(2).integers(0, rows, rows // 4, numpy.int64)
        return moved(v, [a, where], out, lambda o: numpy.take(a, where, 0, out=o),
                     lambda t, o: torch.index_select(t[0], 0, t[1], out=o), a[where], ("Gather", [a, where], {"axis": 0}),
                     read=out.nbytes + rows // 4 * 4)
    if name.startswith("top_k_"):
        k = int(name.split("_")[2])
        k = k // 16 + 1 if quick else k
        a = x(16, rows) if name.endswith("1mi") else x(side, side)
        expected = -numpy.sort(-a, 1)[:, :k]

        def greatest():  # as the operator: values in order, and their indices
            where = numpy.argpartition(a, a.shape[1] - k, 1)[:, -k:]
            values = numpy.take_along_axis(a, where, 1)
            order = numpy.argsort(-values, 1)
            return numpy.take_along_axis(values, order, 1), numpy.take_along_axis(where, order, 1)

        v.numpy(greatest, lambda: greatest()[0])
        if torch:
            t = torch.from_numpy(a)
            v.pytorch(lambda: torch.topk(t, k), lambda: torch.topk(t, k).values)
        return a.nbytes, expected.size * 8, expected
    return None


def layers(name, quick, v):
    """The workloads of layers.cpp as PyTorch computes them; None for others. With intervals: the same without, or nothing."""
    torch = v.torch
    if not torch:
        return None
    aten, f = torch.ops.aten, torch.nn.functional
    f32 = numpy.float32
    x = lambda *shape: random(shape, f32)
    zeros = lambda *shape: numpy.zeros(shape, f32)
    side, pixels = scaled(4096, quick), 56 if quick else 224

    def by_torch(inputs, out, plain, run):
        """plain(tensors) gives a new tensor, run(tensors, out) writes; not every version has each of the latter."""
        tensors = [torch.from_numpy(each) for each in inputs]
        expected = plain(tensors).numpy()
        v.pytorch(lambda: plain(tensors))
        try:
            run(tensors, torch.from_numpy(out))
        except (AttributeError, RuntimeError, TypeError) as error:
            print(f"peers: {name}: without memory of its own PyTorch cannot: {str(error)[:80]}", file=sys.stderr)
            return sum(each.nbytes for each in inputs), out.nbytes, expected
        return moved(v, inputs, out, None, run, expected)

    whole, half, size = (1, 64, pixels, pixels), (1, 64, pixels // 2, pixels // 2), [pixels, pixels]
    k, s, p, target = (2, 2, 0, half) if name.endswith("2x2") else (3, 1, 1, whole)
    twice = lambda number: [number, number]
    if name in ("max_pooling_2x2", "max_pooling_3x3"):
        indices = torch.zeros(target, dtype=torch.int64)
        return by_torch([x(*whole)], zeros(*target), lambda t: f.max_pool2d(t[0], k, s, p),
                        lambda t, o: aten.max_pool2d_with_indices.out(t[0], twice(k), twice(s), twice(p), [1, 1], False,
                                                                      out=o, indices=indices))
    if name in ("average_pooling_2x2", "average_pooling_3x3"):
        return by_torch([x(*whole)], zeros(*target), lambda t: f.avg_pool2d(t[0], k, s, p, False, False),
                        lambda t, o: aten.avg_pool2d.out(t[0], twice(k), twice(s), twice(p), False, False, None, out=o))
    if name == "average_pooling_global":
        return by_torch([x(*whole)], zeros(1, 64, 1, 1), lambda t: f.adaptive_avg_pool2d(t[0], 1),
                        lambda t, o: torch.mean(t[0], (2, 3), True, out=o))
    if name == "max_pooling_grad_3x3":  # with the indices that the forward operator kept
        a, g = x(*whole), x(*whole)[:, ::-1].copy()
        indices = f.max_pool2d(torch.from_numpy(a), 3, 1, 1, return_indices=True)[1]
        arguments = ([3, 3], [1, 1], [1, 1], [1, 1], False, indices)
        return by_torch([a, g], zeros(*whole),
                        lambda t: aten.max_pool2d_with_indices_backward(t[1], t[0], *arguments),
                        lambda t, o: aten.max_pool2d_with_indices_backward.grad_input(t[1], t[0], *arguments, grad_input=o))
    if name == "average_pooling_grad_3x3":
        arguments = (torch.from_numpy(x(*whole)), [3, 3], [1, 1], [1, 1], False, False, None)
        return by_torch([x(*whole)], zeros(*whole), lambda t: aten.avg_pool2d_backward(t[0], *arguments),
                        lambda t, o: aten.avg_pool2d_backward.grad_input(t[0], *arguments, grad_input=o))
    if name == "unfold_3x3":
        return by_torch([x(*whole)], zeros(1, 64 * 9, pixels * pixels), lambda t: f.unfold(t[0], 3, padding=1),
                        lambda t, o: aten.im2col.out(t[0], [3, 3], [1, 1], [1, 1], [1, 1], out=o))
    if name == "resize_nearest":
        return by_torch([x(*half)], zeros(*whole), lambda t: f.interpolate(t[0], size=size),
                        lambda t, o: aten.upsample_nearest2d.out(t[0], size, None, None, out=o))
    if name == "resize_bilinear":
        return by_torch([x(*half)], zeros(*whole), lambda t: f.interpolate(t[0], size=size, mode="bilinear"),
                        lambda t, o: aten.upsample_bilinear2d.out(t[0], size, False, None, None, out=o))
    if name == "resize_bilinear_grad":
        arguments = (size, list(half), False, None, None)
        return by_torch([x(*whole)], zeros(*half), lambda t: aten.upsample_bilinear2d_backward(t[0], *arguments),
                        lambda t, o: aten.upsample_bilinear2d_backward.grad_input(t[0], *arguments, grad_input=o))
    if name in ("normalise_rows_f32", "normalise_rows_f32_intervals"):
        m, r = torch.zeros(side, 1), torch.zeros(side, 1)
        weight = torch.from_numpy(x(side))
        return by_torch([x(side, side)], zeros(side, side), lambda t: f.layer_norm(t[0], (side,), weight, weight, 1e-5),
                        lambda t, o: aten.native_layer_norm.out(t[0], [side], weight, weight, 1e-5, out0=o, out1=m, out2=r))
    if name in ("batch_normalise_f32", "batch_normalise_f32_intervals"):
        a, c = numpy.abs(x(2 if quick else 32, 64, 56, 56)), torch.from_numpy(numpy.abs(x(64)))
        none = torch.zeros(0)
        return by_torch([a], zeros(*a.shape), lambda t: f.batch_norm(t[0], c, c, c, c, False, 0.1, 1e-5),
                        lambda t, o: aten.native_batch_norm.out(t[0], c, c, c, c, False, 0.1, 1e-5, out=o, save_mean=none,
                                                                save_invstd=none))
    scale, zero = 2.0**-7, 128
    if name == "quantize_linear":  # to its own type, whose elements are the numbers
        a = x(side * side)
        expected = numpy.clip(numpy.rint(a / f32(scale)) + zero, 0, 255).astype(numpy.uint8)
        t = torch.from_numpy(a)
        run = lambda: torch.quantize_per_tensor(t, scale, zero, torch.quint8)
        v.pytorch(run, lambda: run().int_repr())
        return a.nbytes, expected.nbytes, expected
    if name == "dequantize_linear":
        a = random(side * side, numpy.uint8)
        expected = (a.astype(f32) - zero) * f32(scale)
        t = torch._make_per_tensor_quantized_tensor(torch.from_numpy(a), scale, zero)
        v.pytorch(lambda: t.dequantize())
        return a.nbytes, expected.nbytes, expected
    if name == "attention" and hasattr(f, "scaled_dot_product_attention"):
        tokens = 64 if quick else 1024
        q, k, value = (x(1, 8, tokens, 64) for _ in range(3))
        tensors = [torch.from_numpy(each) for each in (q, k, value)]
        run = lambda: f.scaled_dot_product_attention(*tensors)
        scores = q.astype(float) @ k.astype(float).swapaxes(2, 3) / 8
        weights = numpy.exp(scores - scores.max(3, keepdims=True))
        v.pytorch(run)
        return 3 * q.nbytes, q.nbytes, weights / weights.sum(3, keepdims=True) @ value.astype(float)
    if name == "lstm":
        steps, hidden, batch = (4, 32, 2) if quick else (64, 256, 16)
        module = torch.nn.LSTM(hidden, hidden)  # its weights are between -1 / sqrt(H) and 1 / sqrt(H)
        t = torch.from_numpy(x(steps, batch, hidden))

        def run():
            with torch.no_grad():
                return module(t)[0]

        v.pytorch(run)
        weights = sum(each.numel() for each in module.parameters()) * 4
        return t.numel() * 4 + weights, t.numel() * 4, run().numpy()
    return None


def make(name, quick, libraries):
    """None when no peer computes the workload."""
    v = Variants(libraries)
    n = lambda size: scaled(size, quick)
    everything, side, page, rows = n(1 << 26), n(4096), n(512), n(1 << 20)
    batch = 2 if quick else 8
    f32 = numpy.float32
    workloads = {
        "argmin_f32_all": lambda: argmin((everything,), None, f32, v),
        "argmin_f32_last": lambda: argmin((side, side), 1, f32, v),
        "argmin_f32_first": lambda: argmin((side, side), 0, f32, v),
        "argmin_f32_middle": lambda: argmin((n(64), page, page), 1, f32, v),
        "argmin_f32_rows_of_8": lambda: argmin((rows, 8), 1, f32, v),
        "argmin_f16_all": lambda: argmin((everything,), None, numpy.float16, v),
        "argmin_i8_all": lambda: argmin((everything,), None, numpy.int8, v),
        "argmin_i64_last": lambda: argmin((side, side), 1, numpy.int64, v),
        "argmin_f32_transposed": lambda: argmin((side, side), 1, f32, v, lambda x: x.T),
        "argmin_f32_stride_2": lambda: argmin((everything,), None, f32, v, lambda x: x[::2]),
        "argmin_f32_broadcast": lambda: argmin((side,), None, f32, v, lambda x: numpy.broadcast_to(x, (side, side))),
        "argmin_16x16": lambda: argmin((16, 16), 1, f32, v),
        "argmin_128x128": lambda: argmin((128, 128), 1, f32, v),
        "nonzero_f32_1": lambda: nonzero(side, f32, 1, v),
        "nonzero_f32_50": lambda: nonzero(side, f32, 50, v),
        "nonzero_f32_100": lambda: nonzero(side, f32, 100, v),
        "nonzero_u8_1": lambda: nonzero(side, numpy.uint8, 1, v),
        "nonzero_u8_50": lambda: nonzero(side, numpy.uint8, 50, v),
        "nonzero_f32_50_transposed": lambda: nonzero(side, f32, 50, v, True),
        "nonzero_16x16": lambda: nonzero(16, f32, 50, v),
        "nonzero_128x128": lambda: nonzero(128, f32, 50, v),
        "scatter_rows": lambda: scatter(rows, 64, rows // 4, v),
        "scatter_elements": lambda: scatter(n(1 << 24), 1, n(1 << 24) // 4, v),
        "scatter_16x16": lambda: scatter(16, 16, 4, v),
        "scatter_128x128": lambda: scatter(128, 128, 32, v),
        "diagonal_zeros_band": lambda: diagonal(batch, side, -1, 2, 1, False, v),
        "diagonal_zeros_triangle": lambda: diagonal(batch, side, None, 1, 1, False, v),
        "diagonal_keep_upper": lambda: diagonal(batch, side, None, 0, 0, True, v),
        "diagonal_keep_band": lambda: diagonal(batch, side, -1, 2, 1, True, v),
        "diagonal_16x16": lambda: diagonal(1, 16, None, 0, 0, True, v),
        "diagonal_128x128": lambda: diagonal(1, 128, None, 0, 0, True, v),
    }
    made = workloads[name]() if name in workloads else moves(name, quick, v) or layers(name, quick, v)
    if made is None:
        return None
    read, written, expected = made
    return read, written, expected, v
