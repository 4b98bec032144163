"""A product by Triton's tl.dot, with the inputs' precision that it offers. triton.jit reads the source of the kernel from a file."""
import torch
import triton
import triton.language as tl

# input_precision of tl.dot, and a type to which the kernel converts the inputs first.
WAYS = {"ieee": ("ieee", 0), "tf32": ("tf32", 0), "tf32x3": ("tf32x3", 0), "bf16x3": ("bf16x3", 0), "bf16x6": ("bf16x6", 0),
        "BFLOAT16 inputs": ("ieee", 1), "FLOAT16 inputs": ("ieee", 2), "FP8 E4M3 inputs": ("ieee", 3)}


@triton.jit
def _kernel(a, b, c, N, K, precision: tl.constexpr, convert: tl.constexpr):
    m = tl.program_id(0) * 32 + tl.arange(0, 32)
    n = tl.program_id(1) * 32 + tl.arange(0, 32)
    sums = tl.zeros((32, 32), tl.float32)
    for first in range(0, K, 32):
        k = first + tl.arange(0, 32)
        x = tl.load(a + m[:, None] * K + k[None, :])
        y = tl.load(b + k[:, None] * N + n[None, :])
        if convert == 1:
            x = x.to(tl.bfloat16)
            y = y.to(tl.bfloat16)
        if convert == 2:
            x = x.to(tl.float16)
            y = y.to(tl.float16)
        if convert == 3:
            x = x.to(tl.float8e4nv)
            y = y.to(tl.float8e4nv)
        sums = tl.dot(x, y, sums, input_precision=precision)
    tl.store(c + m[:, None] * N + n[None, :], sums)


def multiply(a, b, way):
    """a (M, K) by b (K, N), M, N and K multiples of 32."""
    (M, K), N = a.shape, b.shape[1]
    c = torch.empty((M, N), device=a.device)
    _kernel[(M // 32, N // 32)](a, b, c, N, K, *WAYS[way])
    return c
