#!/usr/bin/env python3
"""check_arrows.py SOURCE_DIR: headers include only folders that the arrows allow:
  core <- arithmetic <- operators <- reference, cpu, d3d12, each alone;  directml includes d3d12;  oracle may include
  reference, and oracle/verdicts also arithmetic;  io includes core and operators;  goldml.hpp includes all that is not
  optional.
Also checks which headers include which libraries, that no header includes itself through others, nor anything after a
declaration (check_alone.py relies on both), that each has #pragma once, that its first line says what it contains, that it
has 300 lines at most, and that oracle/verdicts.hpp includes all of oracle/verdicts/."""
import pathlib
import re
import sys

import include_graph

texts = include_graph.texts_of(pathlib.Path(sys.argv[1]) / 'include')
includes = include_graph.includes_of(texts)

# The folders that each folder may include.
allowed = {
    'core': 'core',
    'arithmetic': 'core arithmetic',
    'operators': 'core arithmetic operators',
    'reference': 'core arithmetic operators reference',
    'cpu': 'core arithmetic operators cpu',
    'd3d12': 'core operators d3d12',
    'directml': 'core operators d3d12 directml',
    'oracle': 'core operators reference oracle',
    'oracle/verdicts': 'core arithmetic operators reference oracle',
    'oracle/fit': 'core arithmetic oracle',
    'io': 'core operators io',
}
# The headers that may include a library or a header of a system: names, or folders that end in a slash.
libraries = {
    'rapidjson/': 'io/',
    'fcntl.h': 'io/files.hpp', 'sys/stat.h': 'io/files.hpp', 'unistd.h': 'io/files.hpp',
    'cpuid.h': 'cpu/engine/cast/halves.hpp', 'immintrin.h': 'cpu/engine/cast/halves.hpp',
    'emmintrin.h': 'cpu/engine/base/simd.hpp',
    'windows.h': 'd3d12/runtime/headers.hpp', 'd3d12.h': 'd3d12/runtime/headers.hpp',
    'd3dcompiler.h': 'd3d12/runtime/headers.hpp', 'dxgi1_6.h': 'd3d12/runtime/headers.hpp',
    'vulkan/vulkan.h': 'd3d12/runtime/headers.hpp', 'vkd3d.h': 'd3d12/runtime/headers.hpp',
    'vkd3d_utils.h': 'd3d12/runtime/headers.hpp',
    'DirectML.h': 'directml/headers.hpp',
}
optional = ('io/', 'd3d12/', 'directml/', 'oracle/')

complaints = []

for path, text in texts.items():
    header = path.removeprefix('goldml/')
    if not text.startswith('// '):
        complaints.append(f'{header}: the first line does not say what lives here')
    if '#pragma once' not in text.splitlines():
        complaints.append(f'{header}: no #pragma once')
    # Shaders' headers are generated from .hlsl files: they may be of any length. Lines for goldml::compiled are not
    # read by people.
    lines = sum(not line.startswith(('extern template', 'GOLDML_COMPILED_')) for line in text.splitlines())
    if lines > 300 and not re.fullmatch(r'd3d12/shaders/.*\.dxbc\.hpp', header):
        complaints.append(f'{header}: {lines} lines, wanted at most 300')
    if path in include_graph.reached_from(path, includes):
        complaints.append(f'{header} includes itself, through others')
    declared = re.search(r'^(namespace|template|class|struct|inline|using|constexpr)\b', text, re.M)
    # But for what goldml::compiled declares, at the end of a header, and what DirectML.h needs before it.
    late = text[declared.start():].split('#ifdef GOLDML_COMPILED')[0] if declared else ''
    if re.search(r'^#include', late, re.M) and header != 'directml/headers.hpp':
        complaints.append(f'{header} includes something after a declaration')
    parts = header.split('/')[:-1]
    folder = '/'.join(parts[:2]) if '/'.join(parts[:2]) in allowed else parts[0] if parts else None
    if folder is not None and folder not in allowed:
        complaints.append(f'{header}: {folder} is in no arrow')
    for included in includes[path]:
        first = included.split('/')[0]
        if first == 'goldml':
            target = included.split('/')[1]
            if folder in allowed and '.' not in target and target not in allowed[folder].split():
                complaints.append(f'{header} includes goldml/{target}: {folder} may see: {allowed[folder]}')
        elif first not in ('Eigen', 'fmt') and ('/' in included or '.' in included):
            place = libraries.get('rapidjson/' if first == 'rapidjson' else included)
            if place is None or not (header.startswith(place) if place.endswith('/') else header == place):
                complaints.append(f'{header} includes {included}')

for path in sorted(include_graph.reached_from('goldml/goldml.hpp', includes)):
    header = path.removeprefix('goldml/')
    if header != path and header.startswith(optional):
        complaints.append(f'goldml.hpp includes what is optional: {header}')
used = include_graph.reached_from('goldml/oracle/verdicts.hpp', includes)
for path in texts:
    if path.startswith('goldml/oracle/verdicts/') and path not in used:
        complaints.append(f'oracle/verdicts.hpp does not include {path}, so that nothing uses it')

print(*complaints, f'{len(texts)} headers checked, {len(complaints)} complaints', sep='\n')
sys.exit(1 if complaints or not texts else 0)
