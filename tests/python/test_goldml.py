"""The Python module goldml against NumPy."""

import gc
import pathlib

import numpy as np
import pytest

import goldml

root = pathlib.Path(__file__).resolve().parents[2]
numbers = np.random.default_rng(7)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.int8, np.uint16, np.int32, np.uint64])
@pytest.mark.parametrize("backend", ["cpu", "reference"])
def test_argmin_is_numpys(dtype, backend):
    x = numbers.integers(0, 100, (4, 7)).astype(dtype)
    y = np.zeros((4, 1), np.uint32)
    assert goldml.argmin(x, y, Axes=[1], backend=backend) is y
    np.testing.assert_array_equal(y[:, 0], np.argmin(x, axis=1))


@pytest.mark.parametrize("view", [
    lambda x: x.T,
    lambda x: x[::2, 1::3],
    lambda x: np.broadcast_to(x[0], (5, 9)),
    lambda x: x[:, :1],
    lambda x: x.reshape(3, 2, 3, 3).transpose(2, 0, 3, 1),
])
def test_strides_are_the_arrays(view):
    x = view(numbers.integers(-50, 50, (6, 9), np.int32))
    y = np.zeros(x.shape, np.int32)
    goldml.element_wise_abs(x, y)
    np.testing.assert_array_equal(y, np.abs(x))


def test_outputs_are_written_in_place_with_their_strides():
    whole = np.full((4, 6), 9, np.float32)
    x = np.array([[1, -2, 3], [-4, 5, -6]], np.float32)
    goldml.element_wise_abs(x, whole[1:3, ::2])
    np.testing.assert_array_equal(whole[1:3, ::2], np.abs(x))
    whole[1:3, ::2] = 9
    np.testing.assert_array_equal(whole, np.full((4, 6), 9))


def test_nothing_is_copied():
    x = np.zeros((2, 3), np.float32)
    alias = x[:]
    goldml.fill_value_constant(x, Value=np.float32(7.5))
    np.testing.assert_array_equal(alias, np.full((2, 3), 7.5, np.float32))


def test_attributes():
    x = np.arange(24, dtype=np.int16).reshape(2, 3, 4)
    window = np.zeros((1, 2, 2), np.int16)
    goldml.slice1(x, window, InputWindowOffsets=[1, 0, 0], InputWindowSizes=[1, 3, 4], InputWindowStrides=[1, 2, -2])
    np.testing.assert_array_equal(window, x[1:2, ::2, ::-2])
    y = np.zeros((2, 1, 1), np.uint32)
    goldml.argmax(x, y, Axes=(1, 2), AxisDirection="DECREASING")
    np.testing.assert_array_equal(y.ravel(), [11, 11])
    clipped = np.zeros((4,), np.float32)
    goldml.element_wise_clip(np.array([-1, 0.25, 0.5, 3], np.float32), clipped, Min=0.1, Max=0.5)
    np.testing.assert_array_equal(clipped, np.array([0.1, 0.25, 0.5, 0.5], np.float32))


def test_an_array_of_tensors_is_a_list():
    parts = [numbers.integers(0, 9, (2, n), np.uint8) for n in (1, 3, 2)]
    y = np.zeros((2, 6), np.uint8)
    goldml.join(parts, y, Axis=1)
    np.testing.assert_array_equal(y, np.concatenate(parts, axis=1))
    halves = [np.zeros((2, 3), np.uint8), np.zeros((2, 3), np.uint8)]
    goldml.split(y, halves, Axis=1)
    np.testing.assert_array_equal(np.concatenate(halves, axis=1), y)


def test_new_outputs_have_implied_shapes_and_types():
    a, b = numbers.integers(-9, 9, (2, 3)).astype(np.float32), numbers.integers(-9, 9, (3, 4)).astype(np.float32)
    y = goldml.gemm(a, b)
    assert y.dtype == np.float32
    np.testing.assert_array_equal(y, a @ b)
    np.testing.assert_array_equal(goldml.gemm(a, b, np.ones((2, 4), np.float32), Alpha=2), 2 * (a @ b) + 1)
    np.testing.assert_array_equal(goldml.call("GEMM", a, a, TransB="TRANSPOSE", backend="reference"), a @ a.T)
    np.testing.assert_array_equal(goldml.element_wise_abs(a.T), np.abs(a.T))
    np.testing.assert_array_equal(goldml.join([a, a], Axis=0), np.concatenate([a, a]))
    np.testing.assert_array_equal(goldml.reduce(a, Function="MAX", Axes=[1]), a.max(axis=1, keepdims=True))
    values, where = goldml.top_k(a, Axis=1, K=2, dtype=np.uint64)
    order = np.argsort(-a, axis=1, kind="stable")[:, :2]
    np.testing.assert_array_equal(values, np.take_along_axis(a, order, axis=1))
    np.testing.assert_array_equal(where, order)
    assert where.dtype == np.uint64 and where.flags.writeable
    np.testing.assert_array_equal(goldml.cast(a, dtype="int16"), a.astype(np.int16))
    expected = goldml.expect("GEMM", goldml.expect("ELEMENT_WISE_ABS", a), b)
    assert expected.values[0].shape == (2, 4)
    assert goldml.judge(goldml.expect("GEMM", a, b), y)


def test_new_outputs_that_are_left_open():
    x = np.zeros((2, 3), np.float32)
    with pytest.raises(ValueError, match="ARGMIN: OutputTensor: .* leave open its data type: UINT32, INT32"):
        goldml.argmin(x, Axes=[1])
    with pytest.raises(ValueError, match="SPLIT: OutputTensors: .* leave open its sizes"):
        goldml.split(x, Axis=1)
    with pytest.raises(ValueError, match="FILL_VALUE_CONSTANT: OutputTensor: .* sizes"):
        goldml.fill_value_constant(Value=np.float32(1), dtype=np.float32)
    with pytest.raises(ValueError, match="ARGMIN A4"):
        goldml.argmin(x, Axes=[2], dtype=np.uint32)
    with pytest.raises(ValueError, match="ARGMIN T3: OutputTensor"):
        goldml.argmin(x, Axes=[1], dtype=np.float32)
    with pytest.raises(ValueError, match="GEMM T1: BTensor"):
        goldml.gemm(x)
    with pytest.raises(ValueError, match="TILE T6: OutputTensor"):  # not allocated first
        goldml.tile(x, Repeats=[2**31 - 1, 2**30])
    with pytest.raises(TypeError, match="dtype"):
        goldml.cast(x, np.zeros((2, 3), np.int8), dtype=np.int8)
    with pytest.raises(TypeError, match="complex"):
        goldml.cast(x, dtype=complex)
    with pytest.raises(TypeError, match="TOP_K takes 3 arrays"):
        goldml.top_k(x, np.zeros((2, 1), np.float32))


def test_new_outputs_of_every_operator_are_as_those_of_its_cases():
    made = 0
    for operator in goldml.operators():
        for case in goldml.cases(operator, count=4, seed=36):
            outputs = case.outputs
            rows = goldml._operators._rows[operator]["operands"]
            inputs = [operand for operand, row in zip(case.operands, rows) if not row["is_output"]]
            try:
                results = goldml.call(operator, *inputs, **case.attributes)
            except ValueError as refused:
                if "leave open" in str(refused):
                    continue
                raise
            results = results if isinstance(results, tuple) else (results,)
            assert len(results) == len(outputs)
            for result, output in zip(results, outputs):
                assert output is None or (result.shape, result.dtype) == (output.shape, output.dtype)
            made += 1
    assert made > 200


def test_outputs_that_are_read_before_they_are_written():
    caches = [np.array([first, 0, 0, 0], np.float32).reshape(1, 1, 4, 1) for first in (4, 8)]
    new = [np.array(numbers, np.float32).reshape(1, 3, 1) for numbers in ((0, 0, 0), (1, 2, 3), (2, 5, 9))]
    y = np.zeros((1, 3, 1), np.float32)
    operands = ["MULTIHEAD_ATTENTION1", *new, *[None] * 8, np.array([1], np.int32), y, *caches]
    attributes = {"Scale": 1, "MaskFilterValue": -10000, "QueryHeadCount": 1, "KeyValueHeadCount": 1, "MaskType": "NONE"}
    expected = goldml.expect(*operands, **attributes)
    assert caches[1].ravel().tolist() == [8, 0, 0, 0]
    goldml.call(*operands, **attributes)
    assert y.ravel().tolist() == [5, 5, 6]
    assert caches[1].ravel().tolist() == [8, 2, 5, 9]
    assert goldml.judge(expected, [y, *caches])
    caches[1][0, 0, 0] = 7
    assert not goldml.judge(expected, [y, *caches])
    with pytest.raises(ValueError, match="judged whole"):
        goldml.expect(*operands, elements=1, **attributes)


def test_gather_and_several_outputs():
    x = numbers.normal(size=(5, 3)).astype(np.float32)
    indices = np.array([[4, 0, 4]], np.uint32)
    y = np.zeros((3, 3), np.float32)
    goldml.gather(x, indices, y, Axis=0, IndexDimensions=1)
    np.testing.assert_array_equal(y, x[[4, 0, 4]])
    values, where = goldml.top_k(x, np.zeros((5, 2), np.float32), np.zeros((5, 2), np.uint32), Axis=1, K=2)
    order = np.argsort(-x, axis=1, kind="stable")[:, :2]
    np.testing.assert_array_equal(where, order)
    np.testing.assert_array_equal(values, np.take_along_axis(x, order, axis=1))


@pytest.mark.parametrize("arrays, attributes, message", [
    ((np.zeros((2, 3), np.float32), np.zeros((2, 3), np.uint32)), {"Axes": [1]}, "ARGMIN A3: OutputTensor.Sizes"),
    ((np.zeros((2, 3), np.float32)[::-1], np.zeros((2, 1), np.uint32)), {"Axes": [1]}, "negative stride"),
    ((np.zeros((2, 3), np.float32), np.zeros((2, 1), np.uint32)), {"Axes": [1], "AxisDirection": "UP"}, "case M10"),
])
def test_refusals_are_value_errors(arrays, attributes, message):
    with pytest.raises(ValueError, match=message):
        goldml.argmin(*arrays, **attributes)


def test_wrong_arguments_are_type_errors():
    x, y = np.zeros((2, 3), np.float32), np.zeros((2, 1), np.uint32)
    with pytest.raises(TypeError, match="no attribute 'axis'.*Axes"):
        goldml.argmin(x, y, axis=1)
    with pytest.raises(TypeError, match="takes 2 arrays"):
        goldml.argmin(x, y, y, Axes=[1])
    with pytest.raises(TypeError, match="wanted a NumPy array"):
        goldml.argmin([1, 2], y, Axes=[1])
    with pytest.raises(TypeError, match="complex"):
        goldml.argmin(x.astype(np.complex64), y, Axes=[1])
    with pytest.raises(TypeError, match="dtype >f4"):
        goldml.argmin(x.astype(">f4"), y, Axes=[1])
    y.flags.writeable = False
    with pytest.raises(ValueError, match="cannot be written"):
        goldml.argmin(x, y, Axes=[1])
    with pytest.raises(ValueError, match="no operator"):
        goldml.call("ARGMINN", x, y)
    with pytest.raises(goldml.BackendFailure):
        goldml.argmin(x, np.zeros((2, 1), np.uint32), Axes=[1], backend="gpu")


def test_validate():
    x = np.zeros((2, 3), np.float32)
    assert goldml.validate("ARGMIN", x, np.zeros((2, 1), np.uint32), Axes=[1]) == []
    broken = goldml.validate("ARGMIN", x, np.zeros((2, 3), np.uint32), Axes=[1])
    assert [line.split(":")[0] for line in broken] == ["ARGMIN A3"]
    assert goldml.validate("ARGMIN", x, np.zeros((2, 1), np.uint32), Axes=[1], feature_level="2_0") != []
    assert goldml.validate(root / "examples/models/argmin_axis_1.json") == []
    lines = goldml.validate(root / "docs/models/argmin_wrong.json")
    assert [code for line in lines for code in ("A8", "A3", "T12") if f"ARGMIN {code}:" in line] == ["A8", "A3", "T12"]


def test_run(tmp_path):
    resources = goldml.run(root / "examples/models/argmin_axis_1.json", output_dir=tmp_path)
    assert resources["out"].dtype == np.uint32
    np.testing.assert_array_equal(resources["out"], [0, 1, 0])
    with pytest.raises(ValueError, match="model M9"):
        goldml.run(tmp_path / "missing.json")


def test_judge():
    x = np.array([[1, np.nan, 3], [2, 2, 0]], np.float32)
    y = np.zeros((2, 1), np.uint32)
    expected = goldml.expect("ARGMIN", x, y, Axes=[1])
    right = goldml.judge(expected, np.array([[0], [2]], np.uint32))
    assert right and right.outcome == "agrees" and (right.compared, right.differing) == (2, 0)
    wrong = goldml.judge(expected, np.array([[0], [1]], np.uint32))
    assert not wrong and wrong.outcome == "differs" and wrong.differing == 1
    assert "{1,0}: expected 2" in wrong.report and str(wrong) == wrong.report
    assert not goldml.judge(expected, np.array([[0], [2]], np.int32))  # another type
    np.testing.assert_array_equal(expected.values[0], [[0], [2]])


def test_judge_reciprocals():
    """A3: an approximate reciprocal is accepted as suspicious, or refused."""
    three = np.full((1,), 3, np.float32)
    expected = goldml.expect("ELEMENT_WISE_DIVIDE", three, three, np.zeros_like(three))
    got = np.array([0.9999995], np.float32)
    assert "1 suspicious" in str(goldml.judge(expected, got))
    assert goldml.judge(expected, got, functions="close")
    assert not goldml.judge(expected, got, reciprocals="refuse")
    with pytest.raises(ValueError):
        goldml.judge(expected, got, reciprocals="close")


def test_half_products():
    """A3: FLOAT16 products with FLOAT32 sums: where a sum in FLOAT16 sticks is wrong, but for accumulation="half"."""
    ones = np.ones((1, 4096), np.float16)
    got = np.array([[2048]], np.float16)

    def judged(accumulation):
        output = np.zeros((1, 1), np.float16)
        expected = goldml.expect("REDUCE", ones, output, Function="SUM", Axes=[1], accumulation=accumulation)
        return goldml.judge(expected, got)

    assert not judged("single") and not judged("half_products")
    assert "1 suspicious" in str(judged("half"))
    with pytest.raises(ValueError):
        judged("quarter")


def test_what_is_undefined_is_not_compared():
    x = np.array([[1, 0, 3]], np.int32)
    count, coordinates = np.zeros((1, 1), np.uint32), np.zeros((3, 2), np.uint32)
    expected = goldml.expect("NONZERO_COORDINATES", x, count, coordinates)
    any_rest = [np.array([[2]], np.uint32), np.array([[0, 0], [0, 2], [77, 77]], np.uint32)]
    judged = goldml.judge(expected, any_rest)
    assert judged and judged.compared == 5
    any_rest[1][1, 1] = 1
    assert not goldml.judge(expected, any_rest)


@pytest.mark.parametrize("operator", goldml.operators())
def test_generated_cases_of_every_operator(operator):
    function = getattr(goldml, operator.lower())
    assert operator in function.__doc__
    lines = []
    for case in goldml.cases(operator, count=3, seed=5, most_elements=60):
        lines.append(case.line)
        assert case.operator == operator and case.line.startswith(operator + " ")
        values = case.expected.values
        assert [np.shape(v) for v in values] == [np.shape(o) for o in case.outputs]
        assert goldml.judge(case, values).outcome in ("agrees", "undefined", "flagged")
        assert goldml.case(case.line).line == case.line
        for array in case.inputs:
            assert array is None or not array.flags.writeable
    assert lines == [case.line for case in goldml.cases(operator, count=3, seed=5, most_elements=60)]


def test_elements_of_4_bits_are_bytes():
    line = ("DEQUANTIZE InputTensor=INT4{1,3}:{-8,7,-1} QuantizationTensors=[FLOAT32{1,1}:{0.5}] OutputTensor=FLOAT32{1,3} "
            "QuantizationType=SCALE")
    case = goldml.case(line)
    assert case.operands[0].dtype == np.int8 and case.operands[0].tolist() == [[-8, 7, -1]]
    assert case.expected.values[0].tolist() == [[-4, 3.5, -0.5]]
    case = goldml.case("QUANTIZE InputTensor=FLOAT32{1,3}:{-90,2.5,90} QuantizationTensors=[FLOAT32{1,1}:{1}] "
                       "OutputTensor=INT4{1,3} QuantizationType=SCALE")
    assert case.expected.values[0].tolist() == [[-8, 2, 7]]
    assert goldml.judge(case, np.array([[-8, 2, 7]], np.int8)) and not goldml.judge(case, np.array([[-8, 3, 7]], np.int8))
    as_bytes = goldml.call(case.operator, *case.operands, **case.attributes)  # another operator: of INT8
    assert as_bytes.tolist() == [[-90, 2, 90]]


def test_sizes_classes():
    """B: the classes of sizes"""
    shapes = [case.inputs[0].shape for case in goldml.cases("ARGMIN", count=6, sizes_class="tiles", most_elements=300)]
    assert any(max(shape) > 64 for shape in shapes) and all(np.prod(shape) <= 300 for shape in shapes)
    mixed, small = ([case.line for case in goldml.cases("ARGMIN", count=40, sizes_class=name)] for name in ("mixed", "small"))
    assert 4 < sum(a != b for a, b in zip(mixed, small)) < 16
    assert mixed == [case.line for case in goldml.cases("ARGMIN", count=40)]
    with pytest.raises(ValueError, match="sizes_class: wanted 'mixed', 'small' or 'tiles', got 'huge'"):
        goldml.cases("ARGMIN", sizes_class="huge")


def test_a_sample_of_a_large_output():
    """B: expect(elements=N)"""
    x = np.ones((300, 200), np.float32)
    expected = goldml.expect("ELEMENT_WISE_ADD", x, x, np.empty_like(x), elements=50)
    assert expected.values[0].tolist() == [2] * 50
    judged = goldml.judge(expected, x + x)
    assert judged and judged.compared == 50 and "50 of 60000 elements" in judged.report
    assert not goldml.judge(expected, x)
    for wrong in (0, 1_000_001):
        with pytest.raises(ValueError, match="elements: wanted 1 to 1,000,000"):
            goldml.expect("ELEMENT_WISE_ADD", x, x, np.empty_like(x), elements=wrong)


def test_an_absent_output_is_none():
    x, w, r = np.ones((1, 1, 1, 1), np.float32), np.ones((1, 1, 1, 1), np.float32), np.zeros((1, 1, 1, 1), np.float32)
    last = np.zeros((1, 1, 1, 1), np.float32)
    attributes = {"ActivationDescs": ["ACTIVATION_RELU"], "Direction": "FORWARD"}
    given = goldml.rnn(x, w, r, None, None, None, None, last, **attributes)
    assert given is last and last.item() == 1
    expected = goldml.expect("RNN", x, w, r, None, None, None, None, last, **attributes)
    assert expected.values[0] is None and expected.values[1] == last
    assert goldml.judge(expected, [None, last])
    assert not goldml.judge(expected, [last, last])
    assert not goldml.judge(expected, [None, last + 1])
    assert not goldml.judge(expected, [None, None])


def test_a_case_outlives_its_arrays_and_the_reverse():
    case = goldml.case("ARGMIN InputTensor=FLOAT32{3}/{2}:{2,0,1} OutputTensor=UINT32{1} Axes={0}")
    array = case.inputs[0]
    assert array.strides == (8,)
    del case
    gc.collect()
    np.testing.assert_array_equal(array, [2, 0, 1])


def test_a_wrong_device_is_found():
    wrong = 0
    for case in goldml.cases("ARGMIN", count=50, Axes=[0]):
        first_is_least = [np.zeros_like(o) for o in case.outputs]
        wrong += not goldml.judge(case, first_is_least)
    assert 0 < wrong <= 50


def test_scalars_of_every_form():
    value = lambda dtype, v: goldml.fill_value_constant(np.zeros(1, dtype), Value=v).item()
    assert value(np.float32, 1.5) == 1.5 and value(np.float32, np.array(3, ">f4")) == 3
    assert value(np.uint8, 255) == 255 and value(bool, True) is True and value(np.int8, np.int8(-3)) == -3
    for dtype, v in [(np.uint8, 1.5), (np.uint8, 256), (np.uint8, -1), (np.int8, 2**40), (np.int32, 2**70),
                     (np.float32, np.array([], np.float32)), (np.float32, np.complex64(1))]:
        with pytest.raises(TypeError, match="^Value: wanted a number that the type of the first array holds"):
            value(dtype, v)
    with pytest.raises(ValueError, match="T1"):
        goldml.fill_value_constant(None, Value=1)
    with pytest.raises(TypeError, match="FILL_VALUE_CONSTANT: OutputTensor: .*complex"):
        goldml.fill_value_constant(np.zeros(1, complex), Value=1)


def test_attributes_of_every_form():
    x = np.array([[-1, 2]], np.float32)
    leaky = lambda alpha: goldml.activation_leaky_relu(x, np.zeros_like(x), Alpha=alpha)[0, 0].item()
    assert leaky(0.5) == -0.5 and leaky(np.float32(0.5)) == -0.5 and leaky(np.array(0.5)) == -0.5
    linear = {"Type": "ACTIVATION_LINEAR", "Alpha": 2, "Beta": 1}
    fused = goldml.element_wise_add1(x, x, np.zeros_like(x), FusedActivation=linear)
    assert fused.tolist() == [[-3, 9]]
    assert goldml.element_wise_identity(x, np.zeros_like(x), ScaleBias=[2, 1]).tolist() == [[-1, 5]]
    assert goldml.cumulative_summation(x, np.zeros_like(x), Axis=1, HasExclusiveSum=np.True_).tolist() == [[0, -1]]
    assert goldml.argmin(x, np.zeros((1, 1), np.uint32), Axes=range(1, 2)).item() == 0
    with pytest.raises(ValueError, match=r"'x'.*\(Axes of ARGMIN\)"):
        goldml.argmin(x, np.zeros((1, 1), np.uint32), Axes=["x"])
    with pytest.raises(ValueError, match=r"'1.5'.*wanted an integer.*\(Axes of ARGMIN\)"):
        goldml.argmin(x, np.zeros((1, 1), np.uint32), Axes=[1.5])
    with pytest.raises(ValueError, match="Alpha: wanted a number that FLOAT32 holds, got 1e[+]39"):
        leaky(1e39)
    assert leaky(1e-60) == 0
    with pytest.raises(ValueError, match="AR9: Alpha is FLOAT32 -inf"):
        leaky(-np.inf)
    with pytest.raises(ValueError, match="AR9: Alpha is FLOAT32 nan"):
        leaky(np.nan)
    for alpha in (0.1, 1e-45, 3.4028234663852886e38, 1 / 3, 2**-126):  # bit by bit
        assert leaky(alpha) == -np.float32(alpha)


def test_mistakes_name_their_place():
    x, y = np.zeros((2, 3), np.float32), np.zeros((2, 1), np.uint32)
    with pytest.raises(TypeError, match="ARGMIN: OutputTensor: wanted a NumPy array"):
        goldml.argmin(x, [1, 2], Axes=[1])
    with pytest.raises(ValueError, match="ARGMIN: InputTensor: the array has a negative stride"):
        goldml.argmin(x[::-1], y, Axes=[1])
    with pytest.raises(TypeError, match="JOIN: InputTensors: wanted a list of arrays, got int"):
        goldml.join(3, x, Axis=0)
    with pytest.raises(TypeError, match="ARGMIN takes 2 arrays: InputTensor, OutputTensor; got 1"):
        goldml.validate("ARGMIN", x, Axes=[1])
    with pytest.raises(TypeError, match="ARGMIN takes 2 arrays: InputTensor, OutputTensor; got 3"):
        goldml.expect("ARGMIN", x, y, y, Axes=[1])
    with pytest.raises(ValueError, match="T1"):
        goldml.expect("ARGMIN", x, None, Axes=[1])
    with pytest.raises(TypeError, match="wanted an Expected or a Case, got NoneType"):
        goldml.judge(None, y)
    expected = goldml.expect("ARGMIN", x, y, Axes=[1])
    with pytest.raises(TypeError, match="^actual: wanted an array or a list of arrays, got NoneType"):
        goldml.judge(expected, None)
    with pytest.raises(TypeError, match=r"^actual\[0\]: wanted an array, or None .* got list"):
        goldml.judge(expected, [[0, 0]])
    with pytest.raises(TypeError, match="policies: wanted a list"):
        goldml.run(root / "examples/models/argmin_axis_1.json", policies="nan_policy=first_nan")
    with pytest.raises(TypeError, match="keyword arguments"):
        goldml.validate("ARGMIN", x, y, Axes=[1], policies=["nan_policy=first_nan"])
    with pytest.raises(ValueError, match="no operator 'NOPE'"):
        goldml.cases("NOPE")
    for name in ("Case", "Expected", "Judgement"):
        with pytest.raises(TypeError, match="made by goldml only"):
            getattr(goldml, name)()
        with pytest.raises(TypeError, match="made by goldml only"):
            getattr(goldml, name).__new__(getattr(goldml, name))


def test_c6_a_case_without_a_case_throws():
    base = goldml.Case.__base__
    for name in ("Case", "Expected", "Judgement"):
        made = base.__new__(getattr(goldml, name))
        members = [member for member in dir(made) if not member.startswith("_")]  # newer pybind11 adds one that begins so
        assert members
        for member in members:
            with pytest.raises(TypeError):
                getattr(made, member)
        with pytest.raises(TypeError):
            goldml.judge(made, [])
    with pytest.raises(TypeError):
        repr(base.__new__(goldml.Judgement))


def test_an_unknown_backend_is_refused():
    for backend in ("bogus", "CPU", ""):
        with pytest.raises(goldml.BackendFailure, match="wanted cpu or reference"):
            goldml.run(root / "examples/models/argmin_axis_1.json", backend=backend)


def test_shared_memory_is_found_by_validate():
    x = np.zeros(6, np.float32)
    assert "T12" in goldml.validate("ELEMENT_WISE_ABS", x[:4], x[1:5])[0]
    assert goldml.validate("ELEMENT_WISE_ABS", x[:3], x[3:], same_resource="disjoint") == []


def test_the_report_has_the_inputs_as_they_were():
    x = np.array([[1, 2, 3], [2, 2, 0]], np.float32)
    y = np.broadcast_to(np.uint32(0), (2, 1))  # only its shape and type are used
    expected = goldml.expect("ARGMIN", x, y, Axes=[1])
    x[:] = 9
    judged = goldml.judge(expected, np.array([[1], [3]], np.uint32))
    assert not judged and "0 (0x00000000) at index 2" in judged.report and "9" not in judged.report


def test_iterators_of_arrays():
    parts = [np.zeros(3, np.float32), np.zeros(3, np.float32)]
    result = goldml.split(np.arange(6, dtype=np.float32), (part for part in parts), Axis=0)
    assert [r.tolist() for r in result] == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize("operator", goldml.operators())
def test_a_case_is_called_by_its_parts(operator):
    for case in goldml.cases(operator, count=2, seed=9, most_elements=40):
        if "INT4" in case.line:  # whose elements arrays hold as bytes
            continue
        operands = case.operands
        try:
            result = goldml.call(case.operator, *operands, **case.attributes)
        except ValueError:  # indices out of range, or duplicates: the case's verdicts say so
            continue
        results = iter(result if isinstance(result, tuple) else (result,))
        actual = [None if output is None else next(results) for output in case.outputs]
        assert goldml.judge(case, actual)


def test_a2_a_result_of_another_call_in_place_of_an_array():
    out = np.zeros(3, np.float32)
    quotient = goldml.expect("ELEMENT_WISE_DIVIDE", np.float32([15, 7, 9]), np.float32([15, 2, 3]), out)
    expected = goldml.expect("ELEMENT_WISE_CEIL", quotient, out)
    assert goldml.judge(expected, np.float32([1, 4, 3])).outcome == "agrees"
    assert goldml.judge(expected, np.float32([2, 4, 4])).outcome == "agrees"
    assert not goldml.judge(expected, np.float32([2, 5, 3]))
    joined = goldml.expect("JOIN", [quotient, np.float32([1])], np.zeros(4, np.float32), Axis=0)
    assert goldml.judge(joined, np.float32([np.nextafter(np.float32(1), np.float32(2)), 3.5, 3, 1]))
    assert not goldml.judge(joined, np.float32([1, 3.5, 3, np.nextafter(np.float32(1), np.float32(2))]))
    total = goldml.expect("REDUCE", quotient, np.zeros(1, np.float32), Function="SUM", Axes=[0])
    judged = goldml.judge(total, np.float32([7.5]))
    assert judged and judged.outcome == "depends" and judged.compared == 0
    assert "depends on what is not known of an intermediate" in judged.report
    with pytest.raises(TypeError, match="an output is an array"):
        goldml.expect("ELEMENT_WISE_CEIL", out, quotient)


def test_a5_half_precision_is_named_for_float16_alone():
    for kind, said in ((np.float16, True), (np.float32, False)):
        expected = goldml.expect("REDUCE", np.ones(4096, kind), np.zeros(1, kind), Function="SUM", Axes=[0])
        judged = goldml.judge(expected, np.array([2048], kind))
        assert not judged
        assert (", fits half precision (ledger AR-R1)" in judged.report) == said


def test_f5_how_large_the_errors_of_a_product_are():
    random = np.random.default_rng(1)
    a, b = (random.standard_normal((1, 1, *sizes)).astype(np.float32) for sizes in ((16, 64), (64, 16)))
    expected = goldml.expect("GEMM", a, b, None, np.zeros((1, 1, 16, 16), np.float32))
    right = np.matmul(a, b)
    fit = goldml.judge(expected, right).fit
    assert fit["outcome"] == "fits" and fit["rms"] < 1 and fit["elements"] == 256 and fit["model"] == "FLOAT32"
    assert fit["explained_by"] == "" and fit["outliers"] == [] and not fit["dependent"]
    coarse = right * np.float32(1 + 2**-18)
    assert goldml.judge(expected, coarse) and goldml.judge(expected, right, fit=True)
    judged = goldml.judge(expected, coarse, fit=True)
    assert not judged and judged.fit["outcome"] == "coarser" and "(option fit)" in judged.report
    assert judged_reduction("SUM", [1, 2], 3).fit is None


def test_t4_the_tolerance_of_calls():
    random = np.random.default_rng(2)
    a, b = (random.standard_normal((1, 1, *sizes)).astype(np.float32) for sizes in ((16, 64), (64, 16)))
    expected = goldml.expect("GEMM", a, b)
    found = goldml.tolerance(expected)
    t = found["float32"]
    assert list(found) == ["float32"] and (t["rounded"], t["exact"], t["nans"], t["open"], t["undefined"]) == (256, 0, 0, 0, 0)
    golden = expected.values[0]
    assert np.allclose(np.matmul(a, b), golden, rtol=t["relative"], atol=t["absolute"])
    # The end of an interval is accepted, and twice its distance is not.
    exact = np.matmul(np.float64(a), np.float64(b))
    bound = 2.0**-24 * 64 * np.matmul(np.abs(np.float64(a)), np.abs(np.float64(b)))
    assert np.allclose(exact + bound, golden, rtol=t["relative"], atol=t["absolute"])
    assert not np.allclose(exact + 4 * bound, golden, rtol=t["relative"], atol=t["absolute"])
    assert t["width"] >= 1 and t["ulp"] > 64 and t["absolute_alone"] >= t["absolute"] and t["relative_alone"] > t["relative"]
    assert set(t["wrong"]) == {"a missing term", "TF32 inputs", "FLOAT16 sums"}
    term = t["wrong"]["a missing term"]
    assert term["outputs"] == {"wrong": 1, "pair": 0, "ulp": 0, "interval": 0} and term["elements"]["wrong"] == 256
    # Of several calls, and of types.
    more = goldml.tolerance([expected, goldml.expect("REDUCE", a[:, :, :1], Function="SUM", Axes=[3]),
                             goldml.expect("ARGMAX", a, Axes=[3], dtype=np.int64)])
    assert more["float32"]["rounded"] == 257 and (more["int64"]["exact"], more["int64"]["absolute"]) == (16, 0)
    cases = list(goldml.cases("ELEMENT_WISE_DIVIDE", count=5, data_types=[np.float16]))
    accepted, refused = goldml.tolerance(cases)["float16"], goldml.tolerance(iter(cases), reciprocals="refuse")["float16"]
    assert accepted["ulp"] >= refused["ulp"] and goldml.tolerance(cases[0])
    for wrong in (a, [a], 3):
        with pytest.raises(TypeError):
            goldml.tolerance(wrong)
    with pytest.raises(ValueError, match="functions"):
        goldml.tolerance(expected, functions="near")


def judged_reduction(function, values, got, **options):
    expected = goldml.expect("REDUCE", np.float32(values), np.zeros(1, np.float32), Function=function, Axes=[0])
    return goldml.judge(expected, np.float32([got]), **options)


def test_a4_what_overflows_on_the_way():
    infinite = judged_reduction("LOG_SUM_EXP", [100], np.inf)
    assert infinite and infinite.outcome == "agrees" and infinite.overflowed == 1
    assert "1 overflowed on the way to a finite result" in infinite.report
    for options in ({"stable": True}, {"strict": True}):
        assert not judged_reduction("LOG_SUM_EXP", [100], np.inf, **options)
    finite = judged_reduction("LOG_SUM_EXP", [100], 100, stable=True)
    assert finite and finite.overflowed == 0 and "overflowed" not in finite.report
    assert judged_reduction("SUM", [3e38, 3e38], np.inf, stable=True)  # the golden value is infinite


def test_a9_what_is_hardly_tested():
    cancelling = judged_reduction("SUM", [1e8, 1, -1e8], 1)
    assert cancelling and cancelling.hardly_tested == 1 and "1 hardly tested" in cancelling.report
    assert judged_reduction("SUM", [1e8, 1, 1e8], 2e8).hardly_tested == 0
