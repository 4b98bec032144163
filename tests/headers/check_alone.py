#!/usr/bin/env python3
"""check_alone.py COMPILER SOURCE_DIR JOBS D3D12_FOLDERS DIRECTML_FOLDERS: each public header compiles alone, without
warnings. Public are those that lie directly in a folder of include/goldml; with the environment variable GOLDML_LONG those
of its subfolders are checked too, which these include. The folders, separated by colons, are those of the system headers that the headers of d3d12/ and directml/ need;
where they are empty, these headers are left out, with a message. oracle/catch2.hpp, oracle/doctest.hpp and
oracle/googletest.hpp are left out: they are usable after their frameworks only.

To save time, a header is not compiled again where a unit that compiles shows it nothing that it does not include itself,
directly or through other headers of goldml: its includes come before its declarations, so these see the same as alone. And
Clang takes what a header includes from a precompiled header, the first of `bases` below of which the header includes every
part. Other compilers do without; GCC would repeat all template instantiations of a precompiled header for each header."""
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

import include_graph

compiler, source_dir, jobs, d3d12, directml = sys.argv[1:]
include = pathlib.Path(source_dir) / 'include'
flags = ['-std=c++20', '-Wall', '-Wextra', '-Werror', '-I.', '-isystem', '/usr/include/eigen3']
for folder in dict.fromkeys(f'{d3d12}:{directml}'.split(':')):
    if folder not in ('', '/usr/include'):  # the compiler searches /usr/include anyway
        flags += ['-isystem', folder]

left_out = ['goldml/oracle/catch2.hpp', 'goldml/oracle/doctest.hpp', 'goldml/oracle/googletest.hpp']
for part, missing in (('goldml/d3d12/', not d3d12), ('goldml/directml/', not d3d12 or not directml)):
    if missing:
        left_out.append(part)
        print(f'{part}: left out, its system headers are not here')

text = include_graph.texts_of(include)
includes = include_graph.includes_of(text)
headers = [header for header in text if not header.startswith(tuple(left_out)) and
           (header.count('/') <= 2 or 'GOLDML_LONG' in os.environ)]
reached = {header: include_graph.reached_from(header, includes) for header in headers}

# Sets of headers that many others include, those that include most first. The last is fmt.
bases = [base for base in (
    ['goldml/io/model.hpp', 'goldml/io/json.hpp'],
    ['goldml/oracle/report.hpp'],
    ['goldml/oracle/verdict.hpp', 'goldml/oracle/case.hpp'],
    ['goldml/reference/reference.hpp'],
    ['goldml/core/evaluate.hpp', 'goldml/directml/structure.hpp'],
    ['goldml/core/evaluate.hpp', 'goldml/d3d12/runtime/dispatch.hpp'],
    ['goldml/core/evaluate.hpp', 'goldml/cpu/engine/base/parallel.hpp', 'goldml/arithmetic/exact_sum.hpp'],
    ['goldml/core/evaluate.hpp', 'goldml/cpu/engine/base/parallel.hpp'],
    ['goldml/d3d12/runtime/shader.hpp'],
    ['goldml/core/evaluate.hpp', 'goldml/core/verdict.hpp', 'goldml/arithmetic/exact_sum.hpp'],
    ['goldml/core/evaluate.hpp', 'goldml/core/float16.hpp'],
    ['goldml/core/attributes.hpp', 'goldml/core/float16.hpp'],
    ['goldml/core/attributes.hpp'],
    ['goldml/core/float16.hpp'],
    ['goldml/core/violation.hpp'],
    ['fmt/core.h'],
) if not any(header.startswith(tuple(left_out)) for header in base)]
for base in bases:
    assert all(header in text or not header.startswith('goldml/') for header in base), f'{base}: there is no such header'


def precompile(index):
    """Whether it can be done; if not, the headers with errors are found as others are."""
    unit = f'{folder}/{index}.hpp'
    pathlib.Path(unit).write_text(''.join(f'#include <{header}>\n' for header in bases[index]))
    result = subprocess.run([compiler, *flags, '-fpch-instantiate-templates', '-x', 'c++-header', unit, '-o',
                             f'{folder}/{index}.pch'], cwd=include, stderr=subprocess.DEVNULL, check=False)
    if result.returncode != 0:
        print('cannot be precompiled:', *bases[index])
    return result.returncode == 0


def base_of(header):
    """The index of what it takes from a precompiled header, or None."""
    return next((i for i, base in enumerate(bases) if precompiled[i] and reached[header].issuperset(base)), None)


def shown_alone(unit):
    """The headers that see nothing in a unit, which includes the headers `unit` in turn, but what they include."""
    seen, alone = set(), []
    for header in include_graph.in_order(unit, includes):
        if header in reached and seen <= reached[header]:
            alone.append(header)
        seen.add(header)
    return alone


def unit_of(header):
    base = base_of(header)
    return [*([] if base is None else bases[base]), header]


def errors_of(header):
    base = base_of(header)
    options = [] if base is None else ['-include-pch', f'{folder}/{base}.pch']
    result = subprocess.run([compiler, *flags, *options, '-fsyntax-only', '-x', 'c++', '-'], cwd=include, text=True,
                            input=f'#include <{header}>\n', stderr=subprocess.PIPE, check=False)
    if result.returncode == 0:
        return None
    return result.stderr.splitlines()[:5] or [f'the compiler ended with {result.returncode} and said nothing']


def check(headers):
    """Those that do not compile alone, each with the first lines of what the compiler says."""
    failed, rest = {}, set(headers)
    while rest:
        units, shown = {}, set()  # the headers to compile, with those that each of them shows alone
        for header in sorted(rest, key=lambda header: (-len(reached[header]), header)):
            if header not in shown:
                units[header] = shown_alone(unit_of(header))
                shown.update(units[header])
        print(f'{len(rest)} headers in {len(units)} units')
        with concurrent.futures.ThreadPoolExecutor(int(jobs)) as pool:
            errors = dict(zip(units, pool.map(errors_of, units)))
        for unit, lines in errors.items():
            if lines is None:
                rest.difference_update(units[unit])
            else:
                failed[unit] = lines
                rest.discard(unit)  # what else it shows is tried again without it
    return failed


is_clang = 'clang' in subprocess.run([compiler, '--version'], capture_output=True, text=True, check=True).stdout
with tempfile.TemporaryDirectory() as folder:
    precompiled = [False] * len(bases)
    if is_clang:
        with concurrent.futures.ThreadPoolExecutor(int(jobs)) as pool:
            precompiled = list(pool.map(precompile, range(len(bases))))
    failed = check(headers)
for header, errors in failed.items():
    print(f'{header} does not compile alone:', *errors, sep='\n')
print(f'{len(headers) - len(failed)} passed, {len(failed)} failed')
sys.exit(0 if headers and not failed else 1)
