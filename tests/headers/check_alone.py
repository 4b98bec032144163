#!/usr/bin/env python3
"""check_alone.py COMPILER SOURCE_DIR JOBS D3D12_FOLDERS DIRECTML_FOLDERS: each public header compiles alone, without
warnings. The folders, separated by colons, are those of the system headers that the headers of d3d12/ and directml/ need;
where they are empty, these headers are left out, with a message. oracle/catch2.hpp, oracle/doctest.hpp and
oracle/googletest.hpp are left out: they are usable after their frameworks only.

To save time, Clang takes what a header includes from a precompiled header, the first of `bases` below of which the header
includes every part, directly or through other headers of goldml. That hides nothing: a header's includes come before its
declarations, so these see what the base includes in either case. Other compilers compile all of it for each header; GCC
would repeat all template instantiations of a precompiled header for each of them."""
import concurrent.futures
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
headers = [header for header in text if not header.startswith(tuple(left_out))]

# Sets of headers that many others include, those that include most first. The last is Eigen and fmt.
bases = [base for base in (
    ['goldml/io/model.hpp', 'goldml/io/json.hpp'],
    ['goldml/oracle/verdict.hpp', 'goldml/oracle/case.hpp'],
    ['goldml/reference/reference.hpp'],
    ['goldml/directml/structure.hpp'],
    ['goldml/core/evaluate.hpp', 'goldml/d3d12/runtime/dispatch.hpp'],
    ['goldml/core/evaluate.hpp', 'goldml/cpu/engine/base/parallel.hpp'],
    ['goldml/d3d12/runtime/shader.hpp'],
    ['goldml/core/evaluate.hpp', 'goldml/core/verdict.hpp'],
    ['goldml/core/attributes.hpp'],
    ['Eigen/Core', 'fmt/format.h'],
) if not any(header.startswith(tuple(left_out)) for header in base)]
for base in bases:
    assert all(header in text or not header.startswith('goldml/') for header in base), f'{base}: there is no such header'


def precompile(index):
    unit = f'{folder}/{index}.hpp'
    pathlib.Path(unit).write_text(''.join(f'#include <{header}>\n' for header in bases[index]))
    subprocess.run([compiler, *flags, '-fpch-instantiate-templates', '-x', 'c++-header', unit, '-o', f'{folder}/{index}.pch'],
                   cwd=include, check=True)


def compiles_alone(header):
    included = include_graph.reached_from(header, includes)
    base = next((index for index, base in enumerate(bases) if is_clang and included.issuperset(base)), None)
    options = [] if base is None else ['-include-pch', f'{folder}/{base}.pch']
    result = subprocess.run([compiler, *flags, *options, '-fsyntax-only', '-x', 'c++', '-'], cwd=include, text=True,
                            input=f'#include <{header}>\n', stderr=subprocess.PIPE, check=False)
    if result.returncode != 0:
        print(f'{header} does not compile alone:', *result.stderr.splitlines()[:5], sep='\n')
    return result.returncode == 0


is_clang = 'clang' in subprocess.run([compiler, '--version'], capture_output=True, text=True, check=True).stdout
with tempfile.TemporaryDirectory() as folder:
    with concurrent.futures.ThreadPoolExecutor(int(jobs)) as pool:
        if is_clang:
            list(pool.map(precompile, range(len(bases))))
        passed = sum(pool.map(compiles_alone, headers))
print(f'{passed} passed, {len(headers) - passed} failed')
sys.exit(0 if passed == len(headers) > 0 else 1)
