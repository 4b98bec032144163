"""PyTorch's times for the workloads of d3d12.cpp, as lines "name milliseconds".

The median of nine windows of 20 runs, after 0.6 s of warm-up, as there. Where PyTorch has two ways, the faster counts."""
import sys
import time

import torch


def typical_ms(run):
    start = time.time()
    while time.time() - start < 0.6:
        run()
        torch.cuda.synchronize()
    windows = []
    for _ in range(9):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(20):
            run()
        end.record()
        torch.cuda.synchronize()
        windows.append(begin.elapsed_time(end) / 20)
    return sorted(windows)[4]


def main():
    print(torch.cuda.get_device_name(), "PyTorch", torch.__version__, file=sys.stderr)
    side = 16384

    def report(name, run):
        print(name, round(typical_ms(run), 4), flush=True)

    x = torch.randint(-(2**23), 2**23, (side, side), device="cuda").float()
    y = torch.empty_like(x)
    report("copy", lambda: y.copy_(x))
    report("triu", lambda: torch.triu(x, out=y))
    part = torch.empty(side - 16, side - 16, device="cuda")
    report("slice", lambda: part.copy_(x[8 : side - 8, 8 : side - 8]))
    report("transpose", lambda: y.copy_(x.t()))
    del part
    report("argmin all", lambda: torch.argmin(x))
    report("argmin rows", lambda: torch.argmin(x, dim=1))
    report("argmin columns", lambda: torch.argmin(x, dim=0))
    del y

    data = x.view(-1, 64)
    count = data.shape[0] // 4
    updates = torch.rand(count, 64, device="cuda")
    indices = torch.randperm(data.shape[0], device="cuda")[:count]
    rows = torch.randint(0, data.shape[0], (data.shape[0],), device="cuda")
    gathered = torch.empty_like(data)
    report("gather rows", lambda: torch.index_select(data, 0, rows, out=gathered))
    del rows, gathered
    report("scatter rows", lambda: data.index_copy(0, indices, updates))
    report("scatter rows by index_put", lambda: torch.index_put(data, (indices,), updates))
    del x, data, updates, indices

    for percent in (1, 50, 100):
        z = (torch.rand(side // 2, side // 2, device="cuda") * 100 < percent).float()
        report(f"nonzero {percent} %", lambda: torch.nonzero(z))


main()
