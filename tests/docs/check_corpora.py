#!/usr/bin/env python3
"""check_corpora.py TOOL SOURCE_DIR COMPILER: 37.5: plain corpora, and the scripts of docs/testing-your-kernel.md that use them."""
import ctypes
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

tool, source, compiler = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
page = (source / "docs/testing-your-kernel.md").read_text()
work = tempfile.TemporaryDirectory()
place = pathlib.Path(work.name)


def block(language, beginning):
    """The block of the page that begins so."""
    return next(text for text in re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL) if text.startswith(beginning))


def goldml(*arguments, status=0):
    done = subprocess.run([tool, *arguments], cwd=place, text=True, capture_output=True)
    assert done.returncode == status, f"goldml {' '.join(arguments)}: status {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def commands(beginning):
    """The calls of goldml in the block of commands that begins so, without the last, which is of check."""
    calls = [line.split()[1:] for line in block(r"\w+", beginning).splitlines() if line.startswith("goldml ")]
    assert calls.pop() == ["check", "corpus", "--actual-dir", "actual"]
    return calls


def row_of(operator, table):
    """The last row of the table of check: the columns are models that agree, differ ..."""
    return [" ".join(line.split()) for line in table.splitlines() if re.match(rf"{operator} +\d", line)][-1]


def names_of(operands):
    return [name for value in operands.values() for name in (value if isinstance(value, list) else [value]) if name is not None]


def arrays(folder, operands):
    return [np.load(folder / name) for name in names_of(operands)]


# 37.5: every file of a plain corpus is what plain readers take, and goldml agrees with its own answers.
for operator in ("GEMM", "JOIN", "SPLIT", "RNN", "TOP_K", "CAST", "ELEMENT_WISE_CLIP", "FILL_VALUE_CONSTANT", "UPSAMPLE_2D"):
    goldml("generate", operator, "--plain", "--count", "12", "--seed", "37", "--output-dir", f"plain_{operator}")
    folder = place / f"plain_{operator}"
    manifest = json.loads((folder / f"manifest_{operator.lower()}.json").read_text())
    assert len(manifest["cases"]) == manifest["count"] == 12
    for case in manifest["cases"]:
        desc = json.loads((folder / f"{case['name']}.json").read_text())["dispatchables"]["op"]["desc"]
        assert set(names_of(case["inputs"]) + names_of(case["golden"])) == set(case["files"]) - {f"{case['name']}.json"}
        of_line = dict(re.findall(r" (\w+)=(\S+)", case["case"]))
        assert set(case["attributes"]) == set(of_line) - {"data", "seed"} - set(case["inputs"]) - set(case["outputs"])
        assert not re.search(r"\}[/@%]", case["case"]), "not packed: " + case["case"]
        for operand in [*case["inputs"], *case["outputs"]]:
            tensors = desc.get(operand) or []
            tensors = tensors if isinstance(tensors, list) else [tensors]
            given = arrays(folder, {operand: case["inputs" if operand in case["inputs"] else "golden"][operand]})
            assert [one.shape for one in given] == [tuple(one["Sizes"]) for one in tensors], case["name"]
            assert all(one.flags.c_contiguous and one.flags.aligned for one in given)
            assert all("Strides" not in one and "TotalTensorSizeInBytes" not in one for one in tensors)
        goldml("run", str(folder / f"{case['name']}.json"), "--output-dir", str(place / "own"), "--overwrite")
    goldml("check", str(folder), "--actual-dir", "own")
    print(f"ok: a plain corpus of {operator}")
values = json.loads((place / "plain_GEMM/manifest_gemm.json").read_text())["cases"]
assert {case["attributes"]["TransA"] for case in values} == {"NONE", "TRANSPOSE"}
assert any(case["inputs"]["CTensor"] is None for case in values) and any(case["inputs"]["CTensor"] for case in values)
assert any(isinstance(case["attributes"]["FusedActivation"], dict) for case in values)
assert {type(case["attributes"]["Alpha"]) for case in values} <= {int, float, str}
refused = subprocess.run([tool, "generate", "GEMM", "--plain", "--strides", "packed", "--output-dir", "x"], cwd=place, capture_output=True)
assert refused.returncode == 2 and b"--strides excludes --plain" in refused.stderr, refused.stderr
print("ok: attributes of a plain corpus; --strides excludes --plain")

# 37.5: the script that runs a corpus through NumPy finds its bug, and agrees without it.
script = block("python", '"""run_corpus.py')
assert len(script.splitlines()) <= 25
for call in commands("goldml generate GEMM"):
    goldml(*call)
mended = script.replace("(0 if c is None else c)", "(0 if c is None else np.float32(Beta) * c)")
assert mended != script
for text, status in ((script, 1), (mended, 0)):
    (place / "run_corpus.py").write_text(text)
    subprocess.run([sys.executable, "-W", "ignore", "run_corpus.py", "corpus", "actual"], cwd=place, check=True)
    table = goldml("check", "corpus", "--actual-dir", "actual", status=status)
    print(f"ok: run_corpus.py: {row_of('GEMM', table)}")

# 37.5: the models that run a shader on a corpus; what DxDispatch does with them is done here, by the shader as C++.
for folder in ("corpus", "actual"):
    (place / folder).rename(place / f"{folder}_gemm")
for call in commands("goldml generate REDUCE"):
    goldml(*call)
(place / "shader_models.py").write_text(block("python", '"""shader_models.py'))
subprocess.run([sys.executable, "shader_models.py"], cwd=place, check=True)
(place / "actual").mkdir()
shader = block("hlsl", "// sum_rows.hlsl")
mended = shader.replace("i + 4 <= columns; i += 4", "i < columns; i += 4").replace("j < 4;", "j < 4 && i + j < columns;")
assert mended != shader
for number, (text, status) in enumerate(((shader, 1), (mended, 0))):
    text = re.sub(r"cbuffer (\w+ \{.*\});", r"inline namespace \1", text)
    text = re.sub(r"\[numthreads\((\d+), 1, 1\)\]\nvoid main\(uint3 (\w+) : SV_DispatchThreadID\)",
                  r"constexpr uint group = \1;\nvoid shader(uint3 \2)", text)
    text += ('extern "C" void dispatch(const float* from, float* to, uint first, uint second, uint groups) {\n'
             "  x.elements = from, y.elements = to, rows = first, columns = second;\n"
             "  for (uint i = 0; i < groups * group; ++i) shader({i, 0, 0});\n}\n")
    (place / "shader.cpp").write_text(f'#include "{source}/tests/docs/hlsl_on_host.hpp"\n{text}')
    library = place / f"shader{number}.so"
    subprocess.run([compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", place / "shader.cpp", "-o", library],
                   check=True)
    dispatch = ctypes.CDLL(str(library)).dispatch
    models = sorted((place / "models").glob("*.json"))
    assert len(models) == 100
    for file in models:
        model = json.loads(file.read_text())
        resources, (command, write) = model["resources"], model["commands"]
        assert set(command["bindings"]) == {"x", "y", "sizes"} and model["dispatchables"]["sum_rows"]["type"] == "hlsl"
        x = np.load(place / resources["x"]["initialValues"]["sourcePath"])
        y = np.zeros((resources["y"]["initialValues"]["valueCount"], 1), np.float32)
        sizes = [one["value"] for one in resources["sizes"]["initialValues"]]
        dispatch(ctypes.c_void_p(x.ctypes.data), ctypes.c_void_p(y.ctypes.data), *sizes, command["threadGroupCount"][0])
        np.save(place / write["targetPath"], y)
    table = goldml("check", "corpus", "--actual-dir", "actual", status=status)
    print(f"ok: sum_rows.hlsl: {row_of('REDUCE', table)}")
