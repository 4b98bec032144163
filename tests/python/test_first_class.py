"""37.4: Python as C++: what cases() chooses, attributes, shrinking, help and stub, the wheel, a Python without NumPy."""

import ast
import inspect
import os
import pathlib
import pydoc
import re
import subprocess
import sys
import types
import venv

import numpy as np
import pytest

import goldml

root = pathlib.Path(__file__).resolve().parents[2]
package = pathlib.Path(goldml.__file__).parent
rows = goldml._operators._rows


def test_37_4_cases_takes_every_selection():
    def first(operator, **selection):
        return [(case.line, case.inputs[0]) for case in goldml.cases(operator, count=12, seed=4, **selection)]

    for line, x in first("ARGMIN", data_types=[np.float16, "INT8"], dimension_counts=[2, 4], strides="packed", data=["ties"]):
        assert x.dtype in (np.float16, np.int8) and x.ndim in (2, 4) and x.flags.c_contiguous and " data=ties " in line
    for line, x in first("GATHER", sizes=[3, 4], operand_types={"IndicesTensor": [np.int32]}, data_types=np.float32):
        assert x.shape == (3, 4) and x.dtype == np.float32 and "IndicesTensor=INT32" in line
    for line, x in first("ARGMAX", Axes=[1], nan_policy="propagate", feature_level="3_0", strides=["padded", "interleaved"]):
        assert " Axes={1} " in line and " nan_policy=propagate " in line and " feature_level=3_0 " in line
    for case in goldml.cases("FILL_VALUE_CONSTANT", count=12, Value=np.float32(2)):
        assert " Value=FLOAT32:0x40000000 " in case.line
    for line, _ in first("GEMM", operand_types={"CTensor": "float32"}, FusedActivation={"Type": "ACTIVATION_ELU", "Alpha": 0.5}):
        assert " CTensor=FLOAT32" in line and " FusedActivation=ACTIVATION_ELU{0.5} " in line
    assert max(x.size for _, x in first("ELEMENT_WISE_ABS", most_elements=9)) <= 9
    assert max(max(x.shape) for _, x in first("ELEMENT_WISE_ABS", sizes_class="tiles")) > 64


@pytest.mark.parametrize("selection, error, message", [
    ({"data": ["tie"]}, ValueError, r"data: wanted 'ramp', .*, got 'tie'; did you mean 'ties'\?"),
    ({"strides": "Packed"}, ValueError, r"strides: .* got 'Packed'; did you mean 'packed'\?"),
    ({"data_types": ["complex64"]}, ValueError, "data_types: wanted 'FLOAT32', .*, got 'COMPLEX64'"),
    ({"data_types": [None, 7]}, ValueError, "data_types"),
    ({"sizes_class": "huge"}, ValueError, "sizes_class: wanted 'mixed', 'small' or 'tiles', got 'huge'"),
    ({"feature_level": "9_9"}, ValueError, "feature_level"),
    ({"sizes": [1] * 9}, ValueError, "sizes: wanted at most 8, got 9"),
    ({"count": -1}, ValueError, "count, seed, first and most_elements"),
    ({"operand_types": {"IndexTensor": ["INT32"]}}, ValueError, "M10.*IndexTensor"),
    ({"Axis": 1}, TypeError, r"ARGMIN has no attribute 'Axis'; it has Axes.*; did you mean Axes\?"),
    ({"attributes": ["Axes={1}"]}, TypeError, "no attribute 'attributes'"),
    ({"Axes": [1], "dimension_counts": [1]}, ValueError, "M13.*dimension_counts=1 Axes={1}"),
])
def test_37_4_a_wrong_selection_is_refused(selection, error, message):
    with pytest.raises(error, match=message):
        next(goldml.cases("ARGMIN", **selection))


def test_37_4_a_selection_is_refused_before_the_first_case():
    with pytest.raises(ValueError, match="T11"):
        goldml.cases("ARGMIN", feature_level="1_0")
    with pytest.raises(ValueError, match=r"no operator 'ARGMINN'; did you mean ARGMIN\?"):
        goldml.cases("ARGMINN")
    with pytest.raises(TypeError, match="Value: wanted .* a NumPy scalar, got 1"):
        goldml.cases("FILL_VALUE_CONSTANT", Value=1)


def test_37_4_attributes_are_values():
    case = goldml.case("GEMM ATensor=FLOAT32{2,3} BTensor=FLOAT32{3,4} OutputTensor=FLOAT32{2,4} TransA=NONE Alpha=0.5 "
                       "FusedActivation=ACTIVATION_LINEAR{2,-1}")
    attributes = case.attributes
    assert attributes["TransA"] == "NONE" and attributes["Alpha"] == 0.5 and attributes["feature_level"] == "6_4"
    assert attributes["FusedActivation"] == {"Type": "ACTIVATION_LINEAR", "Alpha": 2.0, "Beta": -1.0}
    case = goldml.case("SLICE1 InputTensor=INT8{4} OutputTensor=INT8{2} InputWindowOffsets={0} InputWindowSizes={4} "
                       "InputWindowStrides={-2}")
    assert case.attributes["InputWindowStrides"] == [-2]
    case = goldml.case("FILL_VALUE_CONSTANT OutputTensor=INT8{3} Value=INT8:0xFE")
    assert case.attributes["Value"] == -2 and case.attributes["Value"].dtype == np.int8
    case = goldml.case("ELEMENT_WISE_IDENTITY InputTensor=FLOAT32{3} OutputTensor=FLOAT32{3} ScaleBias={2,1}")
    assert case.attributes["ScaleBias"] == [2.0, 1.0]


@pytest.mark.parametrize("operator", goldml.operators())
def test_37_4_a_case_is_its_attributes(operator):
    for case in goldml.cases(operator, count=8, seed=37):
        words = dict(word.split("=", 1) for word in case.line.split()[1:])
        again = dict(word.split("=", 1) for word in goldml._operators._attribute_texts(operator, (), case.attributes))
        lines = [goldml.case(" ".join([operator, *(f"{name}={words[name]}" for name in words if name not in again),
                                       *(f"{name}={text}" for name, text in given.items())])).line
                 for given in ({name: words[name] for name in again}, again)]
        assert lines[0] == lines[1]


def test_37_4_numbers_that_json_lacks():
    zeros = np.zeros(3, np.float32)
    assert goldml.fill_value_constant(zeros, Value="-inf").tolist() == [-np.inf] * 3
    assert np.isnan(goldml.fill_value_constant(zeros, Value="nan")).all()


def test_37_4_activations_and_their_mistakes():
    x = np.array([[-1, 2]], np.float32)
    add = lambda activation: goldml.element_wise_add1(x, x, FusedActivation=activation).tolist()
    assert add("ACTIVATION_RELU") == add({"Type": "ACTIVATION_RELU"}) == [[0, 4]]
    with pytest.raises(ValueError, match="FusedActivation: Type: .*got 'ACTIVATION_RELUU'; did you mean 'ACTIVATION_RELU'"):
        add({"Type": "ACTIVATION_RELUU"})
    with pytest.raises(TypeError, match="ACTIVATION_LINEAR has Alpha, Beta; got Alpha"):
        add({"Type": "ACTIVATION_LINEAR", "Alpha": 1})
    with pytest.raises(TypeError, match="ACTIVATION_RELU has no members; got Alpha"):
        add({"Type": "ACTIVATION_RELU", "Alpha": 1})


def wrong_argmin(case):
    """The first of the least, but for the last column."""
    (x,) = case.inputs
    return np.argmin(x[..., :-1] if x.shape[-1] > 1 else x, axis=-1, keepdims=True).astype(case.outputs[0].dtype)


def test_37_4_shrink():
    selection = {"data_types": np.float32, "Axes": [1], "dimension_counts": [2], "data": "ties"}
    case = next(c for c in goldml.cases("ARGMIN", **selection) if not goldml.judge(c, wrong_argmin(c)))
    runs = []

    def fails(candidate):
        runs.append(candidate.line)
        if candidate.attributes["Axes"] != [candidate.inputs[0].ndim - 1]:
            return False
        return goldml.judge(candidate, wrong_argmin(candidate))

    small = goldml.shrink(case, fails)
    assert small.inputs[0].size == 2 and not goldml.judge(small, wrong_argmin(small)) and small.line in runs
    assert goldml.shrink(case, fails).line == small.line
    runs.clear()
    goldml.shrink(case, fails, most_runs=5)
    assert len(runs) == 5
    with pytest.raises(ValueError, match="the case does not fail"):
        goldml.shrink(case, lambda _: False)
    with pytest.raises(ZeroDivisionError):
        goldml.shrink(case, lambda _: 1 / 0)
    with pytest.raises(TypeError, match="returned .*ndarray.*, wanted True where the case fails, or a Judgement"):
        goldml.shrink(case, wrong_argmin)


@pytest.mark.parametrize("operator", goldml.operators())
def test_37_4_help_has_the_rows(operator):
    text = pydoc.render_doc(getattr(goldml, operator.lower()), renderer=pydoc.plaintext)
    for row in rows[operator]["operands"]:
        line = next(line for line in text.splitlines() if line.strip().startswith(row["name"] + ": "))
        assert ", ".join(row["types"]).lower() in line
        assert ("may be None" in line, "output" in line, "a list of arrays" in line) == (
            row["is_optional"], row["is_output"], row["is_array"])
    for row in [*rows[operator]["attributes"]]:
        line = next(line for line in text.splitlines() if re.match(rf"\s+{row['name']}( =|:)", line))
        assert all(repr(name) in line for name in row["names"])
        assert repr(row["default"]) in line or row["default"] not in row["names"]
    signature = inspect.signature(getattr(goldml, operator.lower()))
    assert list(signature.parameters) == [*(row["name"] for row in rows[operator]["operands"]),
                                          *(row["name"] for row in rows[operator]["attributes"]),
                                          "feature_level", "backend", "dtype"]


def parameters_of(function):
    a = function.args
    return [one.arg for one in [*a.posonlyargs, *a.args, *filter(None, [a.vararg]), *a.kwonlyargs, *filter(None, [a.kwarg])]]


def test_37_4_the_stub_is_that_of_the_rows():
    text = (package / "_operators.pyi").read_text()
    assert text == goldml._operators._stub(), "the build's stub is not current"
    exec(text, {})  # every name is defined
    functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    assert {f.name for f in functions} == set(map(str.lower, goldml.operators()))
    for without, with_outputs in zip(functions[::2], functions[1::2]):
        parameters = list(inspect.signature(getattr(goldml, without.name)).parameters)
        outputs = [row["name"] for row in rows[without.name.upper()]["operands"] if row["is_output"]]
        assert parameters_of(without) == [name for name in parameters if name not in outputs]
        assert parameters_of(with_outputs) == [name for name in parameters if name != "dtype"]
    gemm = text[text.index("def gemm("):]
    for line in ("ATensor: NDArray[float32 | float16],", "CTensor: NDArray[float32 | float16] | None = None,",
                 "TransA: Literal['NONE', 'TRANSPOSE'] = 'NONE',", "Alpha: float = 1.0,", "FusedActivation: _Activation | None = None,"):
        assert f"    {line}\n" in gemm


def test_37_4_the_stub_has_the_parameters_of_the_functions():
    stub = ast.parse((package / "__init__.pyi").read_text())
    functions = [node for node in stub.body if isinstance(node, ast.FunctionDef)]
    assert {f.name for f in functions} == {name for name in goldml.__all__ if inspect.isfunction(getattr(goldml, name))} - set(
        map(str.lower, goldml.operators()))
    for f in functions:
        assert parameters_of(f) == list(inspect.signature(getattr(goldml, f.name)).parameters), f.name
    for node in stub.body:
        if isinstance(node, ast.ClassDef) and node.name != "BackendFailure":
            members = {f.name for f in node.body if not f.name.startswith("__")}
            assert members == {m for m in dir(getattr(goldml, node.name)) if not m.startswith("_")}, node.name


def run(*command, **more):
    return subprocess.run(list(map(str, command)), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **more)


def test_37_4_a_wheel_in_an_empty_environment(tmp_path):
    """The wheel has what CMake's component python installs. The environment has this Python's NumPy and nothing of the build."""
    build = package.parents[1]
    installed = run("cmake", "--install", build, "--component", "python", "--prefix", tmp_path / "files")
    assert installed.returncode == 0, installed.stdout
    packed = run(sys.executable, root / "tools/packaging/wheel.py", tmp_path / "files", tmp_path)
    assert packed.returncode == 0, packed.stdout
    (wheel,) = tmp_path.glob("goldml-*.whl")
    environment = tmp_path / "environment"
    venv.create(environment, system_site_packages=True, with_pip=False)
    python = environment / "bin/python"
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    pip = run(sys.executable, "-m", "pip", "--python", python, "install", "--no-index", "--no-cache-dir", wheel, env=clean)
    assert pip.returncode == 0, pip.stdout
    program = ("import goldml, numpy as np, pathlib\n"
               "folder = pathlib.Path(goldml.__file__).parent\n"
               "print(*sorted(path.name for path in folder.iterdir() if path.is_file() and path.suffix != '.so'))\n"
               "print(folder.is_relative_to(pathlib.Path('environment').resolve()), goldml.__version__)\n"
               "print(goldml.gemm(np.eye(2, dtype=np.float32), np.float32([[1, 2], [3, 4]])).tolist())\n")
    said = run(python, "-B", "-c", program, cwd=tmp_path, env=clean)
    assert said.stdout.splitlines() == ["__init__.py __init__.pyi _operators.py _operators.pyi py.typed",
                                        f"True {goldml.__version__}", "[[1.0, 2.0], [3.0, 4.0]]"]


def test_37_4_a_python_without_numpy_is_refused_by_cmake(tmp_path):
    venv.create(tmp_path / "bare", with_pip=False)
    python = tmp_path / "bare/bin/python"
    configured = run("cmake", "-S", root, "-B", tmp_path / "build", "-DGOLDML_BUILD_PYTHON=ON", f"-DPython_EXECUTABLE={python}",
                     "-DGOLDML_BUILD_TESTS=OFF", "-DGOLDML_BUILD_BENCHMARKS=OFF", "-DGOLDML_BUILD_EXAMPLES=OFF")
    text = " ".join(configured.stdout.split())
    assert configured.returncode != 0
    assert f"GOLDML_BUILD_PYTHON is on, but {python} cannot import NumPy (ModuleNotFoundError: No module named 'numpy')" in text
    assert "python3-numpy" in text and "-DPython_EXECUTABLE=PATH" in text


def test_37_4_the_module_links_what_the_build_has_compiled():
    """Objects of goldml::compiled serve programs and the module alike, so the module has three sources of its own."""
    folder = package.parent / "CMakeFiles/goldml_python_module.dir"
    assert (package.parents[1] / "libgoldml_compiled.a").exists() and "libgoldml_compiled.a" in (folder / "link.txt").read_text()
    assert sorted(path.name for path in folder.rglob("*.o")) == ["backends.cpp.o", "module.cpp.o", "read_model.cpp.o"]
    assert "GOLDML_BUILD_PYTHON" not in (root / "cmake/goldml-compiled.cmake").read_text()


def blocks_of(page, beginning):
    blocks = re.findall(r"```python\n(.*?)```", (root / "docs" / page).read_text(), re.DOTALL)
    return next(block for block in blocks if block.startswith(beginning))


def test_37_4_the_page_runs(monkeypatch, capsys):
    monkeypatch.chdir(root)
    names = {"my_device": lambda operator, attributes, operands: goldml.call(operator, *operands, **attributes)}
    exec(blocks_of("python.md", "import numpy"), names)
    assert capsys.readouterr().out.splitlines()[-1] == "[0 1 0]"
    names["my_device"] = lambda operator, attributes, operands: operands[-1]
    with pytest.raises(AssertionError, match="SCATTER_ND: differs\n"):
        exec(blocks_of("python.md", "import numpy"), names)


class Pointer:
    """A stand-in for Triton's pointers, and for PyTorch's tensors of a device."""

    def __init__(self, array, at=0):
        self.array, self.at, self.shape = array, at, array.shape

    def __add__(self, offset):
        return Pointer(self.array, self.at + offset)

    def cuda(self):
        return self

    cpu = cuda

    def numpy(self):
        return self.array


def triton_on_host():
    """What the page uses of torch, triton and triton.language: a launch is a loop over the programs of the grid."""
    program = [0]

    def load(pointer, mask, other):
        values = np.full(mask.shape, other, pointer.array.dtype)
        values[mask] = pointer.array.reshape(-1)[pointer.at[mask]]
        return values

    def store(pointer, values, mask):
        pointer.array.reshape(-1)[pointer.at[mask]] = values[mask]

    def jit(function):
        def launch(grid, *arguments, **named):
            for program[0] in range(*grid):
                function(*arguments, **named)

        return type("Kernel", (), {"__getitem__": lambda _, grid: lambda *a, **n: launch(grid, *a, **n)})()

    def module(name, **members):
        made = types.ModuleType(name)
        vars(made).update(members)
        return made

    language = module("triton.language", constexpr=int, program_id=lambda _: program[0], arange=np.arange, exp=np.exp, max=np.max,
                      sum=np.sum, load=load, store=store)
    power = lambda number: 1 << max(int(number) - 1, 0).bit_length()
    return {"torch": module("torch", from_numpy=Pointer, empty_like=lambda x: Pointer(np.empty_like(x.array))),
            "triton": module("triton", jit=jit, next_power_of_2=power, language=language), "triton.language": language}


def test_37_5_the_page_on_triton_runs(monkeypatch):
    for name, module in triton_on_host().items():
        monkeypatch.setitem(sys.modules, name, module)
    text = blocks_of("testing-your-kernel.md", "# test_softmax.py")
    mended = text.replace("other=0.0", 'other=float("-inf")')
    assert mended != text
    names, mended_names = {}, {}
    exec(text, names)
    exec(mended, mended_names)
    with np.errstate(all="ignore"):
        with pytest.raises(AssertionError, match="ACTIVATION_SOFTMAX1: differs\n"):
            names["test_softmax"]()
        mended_names["test_softmax"]()
