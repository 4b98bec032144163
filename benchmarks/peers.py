#!/usr/bin/env python3
"""Measures goldml and its peers in turn: starts goldml_benchmark_table for each workload, and between its rounds runs
NumPy, PyTorch and ONNX Runtime on the same workload, one thread, each verified against NumPy first. Writes the JSON lines
that goldml_benchmark_table writes, with more contenders.

    peers.py PROGRAM RESULTS [--rounds N] [--quick] [--onnxruntime FOLDER] [NAME...]

FOLDER is where libonnxruntime.so lies, at any depth. What is not installed is left out, loudly."""
import argparse
import json
import os
import statistics
import subprocess
import sys
import time

# One thread, and ordinary memory: NumPy would otherwise use huge pages, which the others do not.
os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1", NUMPY_MADVISE_HUGEPAGE="0")

import numpy

import onnxruntime_c
import peer_workloads


def find_libraries(onnxruntime_folder):
    libraries = {"numpy": numpy}
    versions = {"NumPy": numpy.__version__}
    try:
        import torch

        torch.set_num_threads(1)
        libraries["torch"] = torch
        versions["PyTorch"] = torch.__version__
    except ImportError as error:
        print(f"peers: PyTorch is left out: {error}", file=sys.stderr)
    library = onnxruntime_c.find(onnxruntime_folder) if onnxruntime_folder else None
    if library:
        libraries["onnxruntime"] = onnxruntime_c.OnnxRuntime(library)
        versions["ONNX Runtime"] = libraries["onnxruntime"].version
    else:
        print("peers: ONNX Runtime is left out: no libonnxruntime.so; see benchmarks/run.sh", file=sys.stderr)
    return libraries, versions


class Contender:
    """As class series of measure.hpp: a sample follows right after a run, and lasts a millisecond or one run."""

    def __init__(self, who, run):
        self.who, self.run, self.repetitions, self.samples = who, run, 0, []

    def run_many(self, times):
        start = time.perf_counter()
        for _ in range(times):
            self.run()
        return time.perf_counter() - start

    def sample(self):
        self.run_many(self.repetitions or 1)
        if not self.repetitions:
            self.repetitions = 1
            while self.run_many(self.repetitions) < 1e-3:
                self.repetitions *= 2
        self.samples.append(self.run_many(self.repetitions) / self.repetitions)


def verified(name, variants, expected):
    """Of each library the fastest variant, all of them verified."""
    best = {}
    for who, run, result in variants:
        got = numpy.asarray(result())
        same = numpy.array_equal
        if name in peer_workloads.ROUNDED or name.startswith(peer_workloads.ROUNDED_LAYERS):  # libraries differ by some ULPs
            same = lambda a, b: numpy.allclose(a, b, rtol=1e-5, atol=1e-6, equal_nan=True)
        if got.size != numpy.size(expected) or not same(got, numpy.reshape(expected, got.shape)):
            raise SystemExit(f"peers: {name}: {who} gives another result than NumPy")
        contender = Contender(who, run)
        for _ in range(2):
            contender.sample()
        if who not in best or min(contender.samples) < min(best[who].samples):
            best[who] = contender
    for contender in best.values():
        contender.samples = []
    return list(best.values())


def prepare(name, quick, libraries, description):
    made = peer_workloads.make(name, quick, libraries)
    if not made:
        return []
    read, written, expected, variants = made
    # Both sides must describe the same workload. The number of nonzero elements of random data may differ slightly.
    for ours, theirs in ((description["bytes_read"], read), (description["bytes_written"], written)):
        if abs(ours - theirs) > (0.2 if quick else 0.01) * max(ours, theirs) + 1024:
            raise SystemExit(f"peers: {name}: {theirs} bytes here, {ours} in goldml_benchmark_table")
    return verified(name, variants, expected)


def measure(program, name, options, libraries, versions, results):
    command = [program, "--lockstep", name] + (["--quick"] if options.quick else [])
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as ours:
        description = json.loads(ours.stdout.readline() or "null")
        if not description:
            raise SystemExit(f"peers: {name}: goldml_benchmark_table failed")
        contenders = prepare(name, options.quick, libraries, description)
        times = {}
        for _ in range(options.rounds):
            ours.stdin.write("\n")
            ours.stdin.flush()
            for who, seconds in json.loads(ours.stdout.readline()).items():
                times.setdefault(who, []).append(seconds)
            for contender in contenders:
                contender.sample()
        ours.stdin.close()
    for contender in contenders:
        times[f"{contender.who} {versions[contender.who]}"] = contender.samples
    for who, samples in times.items():
        line = {**description, "who": who, "median": statistics.median(samples), "best": min(samples),
                "samples": len(samples)}
        results.write(json.dumps(line) + "\n")
    results.flush()
    shown = ", ".join(f"{who} {statistics.median(samples) * 1e3:.5g}" for who, samples in times.items())
    print(f"{description['title']}: ms: {shown}", flush=True)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("results")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--onnxruntime")
    options = parser.parse_intermixed_args()
    libraries, versions = find_libraries(options.onnxruntime)
    listed = subprocess.run([options.program, "--list", *options.names], check=True, capture_output=True, text=True)
    with open(options.results, "a") as results:
        for name in listed.stdout.split():
            measure(options.program, name, options, libraries, versions, results)


main()
