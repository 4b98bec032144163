#!/usr/bin/env python3
"""run.py [WORD...]: puts each fault of faults.txt, or those whose header or tests contain a WORD, into a copy of the
headers and expects its tests to fail; without a fault they must pass. What fails to compile proves nothing and is an
error, and so is a line that is not in its header exactly once. CXX is the compiler (g++)."""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from typing import NamedTuple

tests = pathlib.Path(__file__).resolve().parent.parent
include = tests.parent / "include"
timeout = 120  # seconds: a fault may well make a test run for ever
compiler = [os.environ.get("CXX", "g++"), "-std=c++20", "-O1", "-w"]


class Fault(NamedTuple):
    header: str  # below include/goldml
    test: str  # below tests, without .cpp
    before: str
    after: str


def faults():
    """Blocks of three lines: header and test, "- " and the line as it is, "+ " and the line with the fault."""
    lines = [line for line in (tests / "mutation/faults.txt").read_text().splitlines() if line and line[0] != "#"]
    for place, before, after in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
        header, test = place.split()
        if before[:2] != "- " or after[:2] != "+ ":
            sys.exit(f"faults.txt: {place}: wanted a line with '- ' and one with '+ '")
        yield Fault(header, test, before[2:], after[2:])


def broken_headers(fault, folder):
    """A copy of the headers with the fault in it."""
    shutil.copytree(include, folder / "include")
    file = folder / "include/goldml" / fault.header
    lines = file.read_text().splitlines()
    places = [i for i, line in enumerate(lines) if line.strip() == fault.before]
    if len(places) != 1:
        return f"the line is there {len(places)} times: {fault.before}"
    lines[places[0]] = fault.after
    file.write_text("\n".join(lines) + "\n")
    return None


def outcome(test, headers, folder):
    program = folder / "test"
    vectors, models = tests / "published/vectors.json", tests.parent / "examples/models"
    built = subprocess.run(
        [*compiler, "-I", headers, "-I", tests, "-isystem", os.environ.get("EIGEN3_INCLUDE_DIR", "/usr/include/eigen3"),
         f'-DGOLDML_PUBLISHED_VECTORS="{vectors}"', f'-DGOLDML_EXAMPLE_MODELS="{models}"', tests / f"{test}.cpp",
         catch_main, "-o", program, "-lfmt", "-lpthread"], capture_output=True, text=True)
    if built.returncode != 0:
        return "does not compile:\n" + "\n".join(line for line in built.stderr.splitlines() if "error" in line)
    try:
        run = subprocess.run([program], cwd=folder, capture_output=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return "fails"
    return "passes" if run.returncode == 0 else "fails"


def try_fault(fault):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        return broken_headers(fault, folder) or outcome(fault.test, folder / "include", folder)


def try_without_fault(test):
    with tempfile.TemporaryDirectory() as name:
        return outcome(test, include, pathlib.Path(name))


chosen = [f for f in faults() if len(sys.argv) == 1 or any(word in f"{f.header} {f.test}" for word in sys.argv[1:])]
if not chosen:
    sys.exit("run.py: no such fault")
bad = 0
with tempfile.TemporaryDirectory() as common, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
    catch_main = pathlib.Path(common) / "catch_main.o"
    subprocess.run([*compiler, "-c", tests / "catch_main.cpp", "-o", catch_main], check=True)
    without = sorted({f.test for f in chosen})
    for test, result in zip(without, threads.map(try_without_fault, without)):
        if result != "passes":
            bad += 1
            print(f"{test}, without a fault: {result}")
    for fault, result in zip(chosen, threads.map(try_fault, chosen)):
        if result != "fails":
            bad += 1
            print(f"{fault.header}: {fault.test} {result}\n- {fault.before}\n+ {fault.after}", flush=True)
print(f"mutation: {len(chosen)} faults, {bad} troubles")
sys.exit(bad != 0)
