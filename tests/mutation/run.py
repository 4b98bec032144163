#!/usr/bin/env python3
"""Puts faults into the headers, one at a time, and expects a test to fail for each.

  tests/mutation/run.py [OPTION...] [WORD...]

Faults are of two kinds. mutants.py finds places for small systematic ones (comparisons, off by one, conditions, operands
of && and ||, dropped statements, strides, swapped arguments); of these some of each folder are chosen, by a hash of the
line, so that changes elsewhere leave the choice as it is. faults.txt holds those written by hand. All are built into one
set of test programs and chosen at run time; a fault runs only the test cases that evaluate it, the quickest first. Faults
by hand that cannot be chosen at run time are built alone, each with the test that its entry names.

A fault that no test notices, or evaluates, must stand in explained.txt with the reason, or this command fails; so it does
when the score is below 95 %. The score is the share of noticed faults among those that a test could notice: it leaves out
the explained ones that change nothing but speed or memory, and those on lines that no test program runs. All others that
are not noticed count against it, explained or not. The share of all faults is printed beside it. WORDs choose faults whose
header holds one of them.

  --count N     how many systematic faults of each folder (120)
  --again       retries what was not noticed last time, and trusts the rest, though headers or tests have changed
  --seconds N   for each fault only the quickest test cases, up to so many seconds; what no longer one would notice survives
  --first N     tries only so many of the faults, in the order of a hash
  --folder DIR  where to build and keep the results: what is there is resumed (build-mutation)
  --jobs N      how many at once (all processors)
  --check       only whether the lines of faults.txt are in their headers, and its tests are there
CXX is the compiler (g++)."""
import argparse
import concurrent.futures
import hashlib
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading

import mutants

project = pathlib.Path(__file__).resolve().parent.parent.parent
here = project / "tests/mutation"
folders = ["core", "operators", "reference", "cpu", "oracle", "io"]
programs = ["test_core", "test_operators", "test_registry", "test_oracle", "test_io", "test_cpu", "test_published",
            "test_arithmetic"]
copied = ["CMakeLists.txt", "cmake", "docs", "include", "tests", "tools", "examples", "fuzz"]
wanted_score = 0.95
sections = {  # of explained.txt; whether a test could notice their faults
    "The program does the same with the fault": False,
    "Only speed, or memory beside the tensors, changes": False,
    "No test program runs the line": False,
    "Only sanitizers can notice it": True,
    "Random cases that are others, and no worse": True,
}


def blocks(name, text):
    """Three lines each; lines that are empty or begin with # aside."""
    lines = [line for line in text.splitlines() if line and line[0] != "#"]
    if len(lines) % 3:
        sys.exit(f"{name}: wanted blocks of three lines")
    return list(zip(lines[::3], lines[1::3], lines[2::3]))


def explained():
    """{a mutant's key: whether a test could notice it}: HEADER KIND NUMBER, the line, the reason. "# --- " and a name begin
    a section."""
    head, *parts = re.split("^# --- ", (here / "explained.txt").read_text(), flags=re.MULTILINE)
    if blocks("explained.txt", head):
        sys.exit("explained.txt: an explanation is in no section")
    found = {}
    for part in parts:
        title, text = part.split("\n", 1)
        name = re.match("[^.:]*", title)[0]
        if name not in sections:
            sys.exit(f"explained.txt: there is no section of the name {name}")
        for place, line, _ in blocks("explained.txt", text):
            key = f"{place}\n{line.strip()}"
            if key in found:
                sys.exit(f"explained.txt: twice: {key}")
            found[key] = sections[name]
    return found


def hand_written():
    """(header, test, before, after): HEADER TEST, "- " and the line as it is, "+ " and the line with the fault."""
    for place, before, after in blocks("faults.txt", (here / "faults.txt").read_text()):
        if before[:2] != "- " or after[:2] != "+ ":
            sys.exit(f"faults.txt: {place}: wanted a line with '- ' and one with '+ '")
        header, test = place.split()
        yield header, test, before[2:], after[2:]


def by_hash(mutant):
    return hashlib.sha256(mutant.key().encode()).digest()


class Choice:
    """Which faults there are, and the headers with them."""

    def __init__(self, options):
        self.sources, self.chosen, self.apart, self.made = {}, [], [], 0
        self.dropped_file = options.folder / "dropped.txt"  # what does not compile
        self.dropped = set(self.dropped_file.read_text().split("\n\n")) if self.dropped_file.exists() else set()
        self.taken = {}  # lines with a fault, by header
        include = project / "include/goldml"
        places = {folder: [] for folder in folders}
        for folder in folders:
            for file in sorted((include / folder).rglob("*.hpp")):
                name = file.relative_to(include).as_posix()
                self.sources[name] = file.read_text()
                places[folder].append(mutants.find(name, self.sources[name]))
                self.made += len(places[folder][-1])
        for fault in hand_written():
            header, _, before, after = fault
            if header not in self.sources:
                sys.exit(f"faults.txt: there is no {header} in {', '.join(folders)}")
            try:
                mutant = mutants.from_fault(header, self.sources[header], before, after)
            except ValueError as stale:
                sys.exit(f"faults.txt: {stale}")
            if mutant is None or not self.take(mutant) or mutant.key() in self.dropped:
                self.apart.append(fault)
        for folder in folders:
            total = sum(map(len, places[folder]))
            for found in places[folder]:
                left = -(-len(found) * options.count // total)
                for mutant in sorted(found, key=by_hash):
                    if left and self.take(mutant):
                        left -= 1
        self.numbers = {n: m for n, m in enumerate(self.chosen, 1) if m.key() not in self.dropped}

    def take(self, mutant):
        source = self.sources[mutant.header]
        ends = {source.count("\n", 0, at) for start, end, _ in mutant.edits for at in (start, end)}
        lines = self.taken.setdefault(mutant.header, set())
        if ends & lines:
            return False
        lines |= ends
        self.chosen.append(mutant)
        return True

    def drop(self, numbers):
        for number in numbers:
            self.dropped.add(self.numbers[number].key())
            del self.numbers[number]
        self.dropped_file.write_text("\n\n".join(sorted(self.dropped)))

    def written(self, header):
        inside = [(n, m) for n, m in self.numbers.items() if m.header == header]
        return mutants.written(self.sources[header], inside) if inside else self.sources[header]


def synchronize(tree, choice):
    """The project in the folder `tree`, with faults; what is as it was keeps its time, so that it is not built again."""
    for name in copied:
        for file in [project / name] if (project / name).is_file() else sorted((project / name).rglob("*")):
            if file.is_dir() or "__pycache__" in file.parts:
                continue
            relative = file.relative_to(project)
            to, content = tree / relative, file.read_bytes()
            header = relative.relative_to("include/goldml").as_posix() if relative.parts[:2] == ("include", "goldml") else ""
            if header in choice.sources:
                content = choice.written(header).encode()
            if relative.as_posix() == "tests/catch_main.cpp":
                content += b'#include "mutation/listener.hpp"\n'
            put(to, content)
            shutil.copymode(file, to)
    put(tree / "include/goldml/mutant.hpp", (here / "mutant.hpp").read_bytes())


def put(to, content):
    if not to.exists() or to.read_bytes() != content:
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_bytes(content)


def guilty(log, choice):
    """The faults that errors of the compiler are about: for each error the one on the nearest line that it names."""
    lines_of = {}
    for number, mutant in choice.numbers.items():
        for line in mutants.lines_of(mutant, choice.sources[mutant.header]):
            lines_of.setdefault((mutant.header, line), number)
    found, before, unknown = set(), [], []
    lines = log.splitlines()
    place = re.compile(r"include/goldml/([\w/]+\.hpp):(\d+)")
    for i, line in enumerate(lines):
        at = place.search(line)
        if ": error: " not in line:
            if at and ("required" in line or "In " in line or "expansion" in line):
                before.append((at[1], int(at[2])))
            elif not at:
                before = [] if "In file included" in line else before
            continue
        candidates = [(at[1], int(at[2]))] if at else []
        candidates += before
        for note in lines[i + 1:]:
            if ": error: " in note:
                break
            if at := place.search(note):
                candidates.append((at[1], int(at[2])))
        hit = next((lines_of[c] for c in candidates if c in lines_of), None)
        if hit is None:
            unknown.append(line)
        else:
            found.add(hit)
        before = []
    return found, unknown


def build(choice, options):
    """Builds the test programs; faults that do not compile are dropped."""
    tree, to = options.folder / "tree", options.folder / "build"
    targets = [["goldml_compiled"], programs]  # the first, of fewer units, tells most of what does not compile
    while targets:
        synchronize(tree, choice)
        subprocess.run(["cmake", "-S", tree, "-B", to, "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O1",
                        "-DCMAKE_CXX_FLAGS=-w -Wno-narrowing -fmax-errors=0", "-DGOLDML_TEST_HEADERS_ALONE=OFF",
                        f"-DCMAKE_CXX_COMPILER={os.environ.get('CXX', 'g++')}",
                        *(f"-DGOLDML_BUILD_{part}=OFF" for part in "D3D12 DIRECTML TOOL EXAMPLES BENCHMARKS".split())],
                       check=True, stdout=subprocess.DEVNULL)
        log = subprocess.run(["cmake", "--build", to, "--parallel", str(options.jobs), "--target", *targets[0], "--", "-k"],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        (options.folder / "build.log").write_text(log.stdout)
        if log.returncode == 0:
            targets.pop(0)
            continue
        found, unknown = guilty(log.stdout, choice)
        if not found:
            sys.exit(f"mutation: the build fails, and no fault is the reason: {options.folder}/build.log\n" +
                     "\n".join(unknown[:5]))
        print(f"mutation: {len(found)} faults do not compile and are dropped", flush=True)
        choice.drop(found)


def limited(seconds):
    """So that a fault that runs for ever, or eats all memory, ends as one that is noticed."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return limit


def passes(command, expected, **environment):
    """expected: seconds without a fault."""
    with tempfile.TemporaryDirectory() as above:
        folder = pathlib.Path(above, "a/b/c")  # what a fault writes above its folder stays here
        folder.mkdir(parents=True)
        try:
            run = subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                 env={**os.environ, **environment}, preexec_fn=limited(int(5 + 10 * expected)),
                                 timeout=60 + 20 * expected)
        except subprocess.TimeoutExpired:
            return False
        return run.returncode == 0


def filter_of(name):
    """A test case's name as Catch2 wants it in a file."""
    return re.sub(r"([\\,\[\]])", r"\\\1", name) + "\n"


def check_filters(program, names):
    """Catch2 leaves out names that it does not understand, and succeeds."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("".join(map(filter_of, names)))
        file.flush()
        listed = subprocess.run([program, "--list-test-names-only", "--input-file", file.name], capture_output=True,
                                text=True).stdout.splitlines()
    if missing := set(names) - set(listed):
        sys.exit(f"mutation: Catch2 finds no test case of the name {missing.pop()}")


def reached(options):
    """{number: [(seconds, program, test case)...]}, quickest first. Without a fault every test passes."""
    def reached_by(name):
        program, file = options.folder / "build/tests" / name, options.folder / f"{name}.reached"
        if not file.exists() or file.stat().st_mtime < program.stat().st_mtime:
            file.unlink(missing_ok=True)
            if not passes([program], 600, GOLDML_MUTANTS_REACHED=str(file)):
                file.unlink(missing_ok=True)
                sys.exit(f"mutation: {name} fails without a fault")
        lines = [line.split("\t") for line in file.read_text().splitlines()]
        check_filters(program, [test for _, test, _ in lines])
        return [(float(seconds), name, test, numbers.split()) for seconds, test, numbers in lines]

    found = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as threads:
        for lines in threads.map(reached_by, programs):
            for seconds, name, test, numbers in lines:
                for number in numbers:
                    found.setdefault(int(number), []).append((seconds, name, test))
    for tests in found.values():
        tests.sort()
    return found


def noticed(number, tests, options):
    """Runs the test cases in three portions, the quickest first."""
    spent, portions = 0, ([], [], [])
    for seconds, program, test in tests:
        spent += seconds
        if spent > options.seconds:
            break
        portions[0 if spent < 0.3 else 1 if spent < 3 else 2].append((seconds, program, test))
    for portion in portions:
        for program in dict.fromkeys(p for _, p, _ in portion):
            names = [test for _, p, test in portion if p == program]
            expected = sum(seconds for seconds, p, _ in portion if p == program)
            with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
                file.write("".join(map(filter_of, names)))
                file.flush()
                command = [options.folder / "build/tests" / program, "--abort", "--input-file", file.name]
                if not passes(command, expected, GOLDML_MUTANT=str(number)):
                    return True
    return False


def noticed_apart(fault, options):
    """A fault that is built alone, with one test."""
    header, test, before, after = fault
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shutil.copytree(project / "include", folder / "include")
        file = folder / "include/goldml" / header
        file.write_text("\n".join(after if line.strip() == before else line for line in file.read_text().split("\n")))
        tests = project / "tests"
        built = subprocess.run(
            [os.environ.get("CXX", "g++"), "-std=c++20", "-O1", "-w", "-I", folder / "include", "-I", tests, "-isystem",
             os.environ.get("EIGEN3_INCLUDE_DIR", "/usr/include/eigen3"),
             f'-DGOLDML_PUBLISHED_VECTORS="{tests}/published/vectors.json"',
             f'-DGOLDML_EXAMPLE_MODELS="{project}/examples/models"', tests / f"{test}.cpp", tests / "catch_main.cpp",
             "-o", folder / "test", "-lfmt", "-lpthread"], capture_output=True, text=True)
        if built.returncode != 0:
            return False  # proves nothing
        return not passes([folder / "test"], 30)


class Results:
    """What came of each fault, kept in a file at once. Begins anew where headers or tests have changed."""

    def __init__(self, options):
        self.file, self.lock = options.folder / "results.txt", threading.Lock()
        digest = hashlib.sha256()
        for name in ("include", "tests"):
            for file in sorted((project / name).rglob("*.?pp")):
                digest.update(file.read_bytes())
        self.of = {}
        if self.file.exists():
            stamp, *lines = self.file.read_text().splitlines()
            if stamp == digest.hexdigest() or options.again:
                for line in lines:
                    outcome, key = line.split("\t", 1)
                    self.of[key.replace("\t", "\n")] = outcome
            if options.again:
                self.of = {key: outcome for key, outcome in self.of.items() if outcome == "noticed"}
        self.file.write_text(digest.hexdigest() + "\n" + "".join(map(self.line, self.of, self.of.values())))

    @staticmethod
    def line(key, outcome):
        return f"{outcome}\t" + key.replace("\n", "\t") + "\n"

    def add(self, key, outcome):
        with self.lock:
            self.of[key] = outcome
            with self.file.open("a") as file:
                file.write(self.line(key, outcome))


def check():
    complaints, count = [], 0
    for header, test, before, after in hand_written():
        count += 1
        try:
            mutants.from_fault(header, (project / "include/goldml" / header).read_text(), before, after)
        except (OSError, ValueError) as stale:
            complaints.append(f"faults.txt: {stale}")
        if not (project / "tests" / f"{test}.cpp").exists():
            complaints.append(f"faults.txt: {header}: there is no tests/{test}.cpp")
    print("\n".join([*complaints, f"mutation.faults: {count} faults, {len(complaints)} complaints"]))
    sys.exit(1 if complaints else 0)


def main():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--help", action="store_true")
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--first", type=int)
    parser.add_argument("--folder", type=pathlib.Path, default=project / "build-mutation")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.help:
        print(__doc__)
        return
    if options.check:
        check()
        return
    options.folder = options.folder.resolve()
    options.folder.mkdir(parents=True, exist_ok=True)
    could_be_noticed = explained()
    choice = Choice(options)
    build(choice, options)
    results = Results(options)
    tests_of = reached(options)
    wanted = {n: m for n, m in choice.numbers.items()
              if not options.words or any(word in m.header for word in options.words)}

    def try_one(item):
        number, mutant = item
        if mutant.key() not in results.of:
            tests = tests_of.get(number)
            results.add(mutant.key(), "not reached" if tests is None else
                        "noticed" if noticed(number, tests, options) else "survived")
        return mutant, results.of[mutant.key()]

    def try_apart(fault):
        key = "\n".join(fault)
        if key not in results.of:
            results.add(key, "noticed" if noticed_apart(fault, options) else "survived")
        return fault, results.of[key]

    counts = {folder: {} for folder in folders}
    bad, found, total, beyond_tests = 0, 0, 0, 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as threads:
        in_any_order = sorted(wanted.items(), key=lambda item: by_hash(item[1]))  # a part of a run says something of all
        for mutant, outcome in threads.map(try_one, in_any_order[:options.first]):
            total += 1
            found += outcome == "noticed"
            if outcome != "noticed" and mutant.key() in could_be_noticed:
                outcome = "explained"
                beyond_tests += not could_be_noticed[mutant.key()]
            counts_here = counts[mutant.header.split("/")[0]]
            counts_here[outcome] = counts_here.get(outcome, 0) + 1
            if outcome not in ("noticed", "explained"):
                bad += 1
                print(f"{outcome}: include/goldml/{mutant.header}:{mutant.line}\n{mutant.key()}", flush=True)
        apart = [f for f in choice.apart if not options.words or any(word in f[0] for word in options.words)]
        for fault, outcome in threads.map(try_apart, apart):
            if outcome != "noticed":
                bad += 1
                print(f"{outcome}, or does not compile: {fault[0]} {fault[1]}\n- {fault[2]}\n+ {fault[3]}", flush=True)
    known = {m.key() for m in choice.numbers.values()}
    for key in could_be_noticed:
        if results.of.get(key) == "noticed":
            print(f"explained.txt: noticed now: {key}")
    for folder, counted in counts.items():
        if counted:
            print(f"mutation: {folder}: " + ", ".join(f"{n} {outcome}" for outcome, n in sorted(counted.items())))
    noticeable = total - beyond_tests
    print(f"mutation: {choice.made} places, {total} faults in the programs ({len(choice.dropped)} more do not compile), "
          f"{found} noticed: {found / max(total, 1):.1%} of all, a score of {found / max(noticeable, 1):.1%} without the "
          f"{beyond_tests} that no test could notice; {len(apart)} built alone; {bad} to read; "
          f"{len(set(could_be_noticed) - known)} explanations of faults that are not among them")
    sys.exit(bad != 0 or found < wanted_score * noticeable)


if __name__ == "__main__":
    main()
