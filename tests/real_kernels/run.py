#!/usr/bin/env python3
"""What goldml says of real libraries.

    run.py compute FOLDER     computes the cases with every library that can be imported, into FOLDER
    run.py judge FOLDER...    judges what is there with the module goldml, and prints the tables of docs/real-kernels.md,
                              or with --page FILE writes them into it
    run.py all FOLDER         both

The two can run on different machines: the data of the cases are the same everywhere, and FOLDER says by a digest which they
were. compute needs no goldml, and judge no library. A library that cannot be imported, and a call that fails, are listed with the
reason, and count as nothing.
"""
import argparse
import concurrent.futures
import glob
import hashlib
import json
import math
import multiprocessing
import os
import subprocess
import sys
import time

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cases
import libraries
import tables

PART = 14 << 20  # bytes of a file of outputs, before compression


def digest(arrays):
    h = hashlib.sha256()
    for a in arrays:
        for b in a if isinstance(a, list) else [] if a is None else [a]:
            h.update(f"{b.dtype} {b.shape} ".encode())
            h.update(np.ascontiguousarray(b).tobytes())
    return h.hexdigest()[:16]


def chosen(prefixes):
    result = [c for c in cases.CASES if not prefixes or c.name.startswith(tuple(prefixes))]
    if not result:
        sys.exit(f"run.py: no case begins with {' or '.join(prefixes)}; the cases are in cases.py")
    return result


def outputs_of(case, answer):
    """A library's answer as arrays of the types and sizes of the case, which only integers and truth values are converted to."""
    answer = list(answer) if isinstance(answer, (list, tuple)) else [answer]
    wanted = case.flat_outputs()
    if len(answer) != len(wanted):
        raise ValueError(f"{len(answer)} outputs, wanted {len(wanted)}")
    result = []
    for value, (dtype, sizes) in zip(answer, wanted):
        a = value.detach().cpu().numpy() if hasattr(value, "detach") else np.asarray(value)
        if a.dtype != dtype:
            if a.dtype.kind == "f" or np.dtype(dtype).kind == "f" or not np.array_equal(a, a.astype(dtype)):
                raise ValueError(f"the result is {a.dtype}, wanted {np.dtype(dtype)}")
            a = a.astype(dtype)
        if a.size != int(np.prod(sizes)):
            raise ValueError(f"the result has the sizes {a.shape}, wanted {tuple(sizes)}")
        result.append(np.ascontiguousarray(a).reshape(sizes))
    return result


class Store:
    """Arrays by number, each different one once, in files of at most PART bytes."""

    def __init__(self, folder):
        self.folder, self.known, self.part, self.size, self.parts = folder, {}, {}, 0, 0

    def add(self, array):
        key = digest([array])
        if key not in self.known:
            if self.size + array.nbytes > PART:
                self.close()
            self.known[key] = (self.parts, key)
            self.part[key] = array
            self.size += array.nbytes
        return self.known[key]

    def close(self):
        if not self.part:
            return
        np.savez_compressed(os.path.join(self.folder, f"outputs-{self.parts}.npz"), **self.part)
        self.part, self.size, self.parts = {}, 0, self.parts + 1


def compute_one(folder, name, prefixes, seconds):
    """The cases by one library, in this process."""
    os.makedirs(folder, exist_ok=True)
    why, what = libraries.reason(name)
    record = dict(library=name, is_here=not why, what=why or what, failures=[], none=[], outputs=[], digests={}, not_reached=[])
    store, start = Store(folder), time.time()
    for case in [] if why else chosen(prefixes):
        if time.time() - start > seconds:
            record["not_reached"].append(case.name)
            continue
        record["digests"][case.name] = digest(case.make())
        way, count = "", 0
        try:
            for way, answer in libraries.LIBRARIES[name](case):
                try:
                    answer = answer() if callable(answer) else answer
                    if answer is not None:
                        count += 1
                        record["outputs"].append(dict(case=case.name, library=name, way=way, arrays=[store.add(a) for a in outputs_of(case, answer)]))
                except Exception as error:
                    count += 1
                    record["failures"].append(dict(case=case.name, way=way, error=f"{type(error).__name__}: {error}"[:300]))
        except Exception as error:
            count += 1
            record["failures"].append(dict(case=case.name, way="", error=f"{type(error).__name__}: {error}"[:300]))
        if count == 0:
            record["none"].append(case.name)
    store.close()
    with open(os.path.join(folder, "results.json"), "w") as file:
        json.dump(record, file, indent=0)
    if why:
        print(f"{name}: not here: {why}")
    else:
        print(f"{name}: {what}: {len(record['outputs'])} outputs of {len(record['digests'])} cases, {len(record['failures'])} calls failed, "
              f"{len(record['none'])} cases without such an operation, {len(record['not_reached'])} not reached in {seconds:g} s; {time.time() - start:.0f} s")
        kinds = {}
        for f in record["failures"]:
            kinds.setdefault(f["error"][:120], []).append(f["case"])
        for error, names in sorted(kinds.items(), key=lambda k: -len(k[1]))[:12]:
            print(f"  {len(names)} failed, as {names[0]}: {error}")


def compute(folder, names, prefixes, seconds, at_once):
    """Each library in a process of its own, so that none disturbs another."""
    chosen(prefixes)
    os.makedirs(folder, exist_ok=True)
    command = lambda name: [sys.executable, os.path.abspath(__file__), "compute", os.path.join(folder, name.lower().replace(" ", "_")), "--libraries", name,
                            "--alone", "--seconds", str(seconds), *(["--cases", *prefixes] if prefixes else [])]
    environment = dict(os.environ, XLA_PYTHON_CLIENT_PREALLOCATE="false")
    # Only the output's order depends on at_once.
    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        run = lambda name: subprocess.run(command(name), env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for name, done in zip(names, pool.map(run, names)):
            lines = done.stdout.splitlines()
            own = [line for line in lines if line.startswith((name + ": ", "  "))]
            print("\n".join(own if done.returncode == 0 and own else [f"{name}: ended with status {done.returncode}", *lines[-15:]]), flush=True)


def judged(task):
    """The judgements of one case: of each output, with goldml's default policies, and the first other policy that explains a
    difference."""
    import goldml
    name, digests, entries, folders = task
    case = next(c for c in cases.CASES if c.name == name)
    inputs, result = case.make(), []
    if any(d != digest(inputs) for d in digests):
        return [dict(e, outcome="other inputs") for e in entries]
    operands = inputs + case.output_operands()
    expected = {}

    def judgement(entry, policy):
        if policy not in expected:
            expected[policy] = goldml.expect(case.operator, *operands, **{**case.attributes, **dict(policy)})
        actual = []
        for part, key in entry["arrays"]:
            with np.load(os.path.join(folders[entry["folder"]], f"outputs-{part}.npz")) as file:
                actual.append(file[key])
        return goldml.judge(expected[policy], actual)

    for entry in entries:
        j = judgement(entry, ())
        row = dict(entry, operator=case.operator, type=np.dtype(case.flat_outputs()[0][0]).name, outcome=j.outcome, fit=j.fit, explained="",
                   **{k: getattr(j, k) for k in ("compared", "differing", "suspicious", "toward_zero", "overflowed", "hardly_tested")})
        if j.outcome == "differs":
            row["report"] = j.report[:2000]
            for policy in case.policies:
                if judgement(entry, tuple(policy.items())).outcome != "differs":
                    row["explained"] = ", ".join(f"{k}={v}" for k, v in policy.items())
                    break
        result.append(row)
    return result


def judge(folders, prefixes, jobs):
    folders = [os.path.dirname(f) for folder in folders for f in sorted(glob.glob(os.path.join(folder, "**", "results.json"), recursive=True))]
    if not folders:
        sys.exit("run.py: there are no results (results.json, of run.py compute)")
    records = [json.load(open(os.path.join(f, "results.json"))) for f in folders]
    tasks = {}
    for number, record in enumerate(records):
        for entry in record["outputs"]:
            if not prefixes or entry["case"].startswith(tuple(prefixes)):
                digests, entries = tasks.setdefault(entry["case"], (set(), []))
                digests.add(record["digests"][entry["case"]])
                entries.append(dict(entry, folder=number))
    rows = []
    with multiprocessing.Pool(jobs) as pool:
        for more in pool.imap(judged, [(name, *t, folders) for name, t in tasks.items()]):
            rows += more
    other = [r for r in rows if r["outcome"] == "other inputs"]
    if other:
        sys.exit(f"run.py: {len(other)} outputs were computed of other inputs than those of cases.py, as {other[0]['case']}: compute them again")
    return records, rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("compute", "judge", "all"))
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--libraries", nargs="+", choices=libraries.LIBRARIES, default=list(libraries.LIBRARIES), metavar="NAME",
                        help="only these of: " + ", ".join(libraries.LIBRARIES))
    parser.add_argument("--cases", nargs="+", default=[], metavar="PREFIX", help="only cases whose names begin with one of these")
    parser.add_argument("--json", metavar="FILE", help="write every judgement to FILE")
    parser.add_argument("--page", metavar="FILE", help="write the tables into this page, between their marks")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at once (by default as many as there are cores)")
    parser.add_argument("--seconds", type=float, default=math.inf, help="no library begins a case after so many")
    parser.add_argument("--alone", action="store_true", help="one library, in this process")
    arguments = parser.parse_args()
    if arguments.command != "judge":
        if len(arguments.folders) != 1:
            parser.error("compute takes one folder")
        if arguments.alone:
            return compute_one(arguments.folders[0], arguments.libraries[0], arguments.cases, arguments.seconds)
        compute(arguments.folders[0], arguments.libraries, arguments.cases, arguments.seconds, arguments.jobs)
    if arguments.command != "compute":
        records, rows = judge(arguments.folders, arguments.cases, arguments.jobs)
        if arguments.json:
            with open(arguments.json, "w") as file:
                json.dump(dict(libraries=[{k: r[k] for k in ("library", "is_here", "what", "failures", "none", "not_reached")} for r in records], rows=rows), file, indent=1)
        return tables.write(records, rows, arguments.page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
