"""goldml: what DirectML operators must compute, on NumPy arrays.

Each operator is a function with its name in lower case: goldml.argmin, goldml.scatter_nd. It takes an array for each tensor,
in the order of DirectML's structure, outputs last; None for an optional tensor that is absent, a list for an array of
tensors. Attributes and goldml's policies are keyword arguments with DirectML's names. The outputs are written in place and
returned. If none is given, they are new arrays of the shapes and types that the inputs and attributes imply; dtype is their
type where the operator leaves it open. Arrays are not copied, and their strides are the tensors'. What DirectML would refuse
is a ValueError with the code of the rule.

    >>> x = np.array([[3, 1, 2], [0, 5, 0]], np.float32)
    >>> goldml.argmin(x, Axes=[1], dtype=np.uint32)
    array([[1],
           [0]], dtype=uint32)
"""

import os as _os

import numpy as _np

from . import _goldml, _operators
from ._goldml import BackendFailure, Case, Expected, Judgement
from ._operators import *
from ._operators import _arrays, _attribute_texts, _attributes, _call, _chosen, _data_types, _names, _one_of, _operator, _rows
from ._operators import call

__version__ = _goldml.version


def _strings(name, values):
    if isinstance(values, (str, dict)):
        raise TypeError(f"{name}: wanted a list of strings, got {values!r}")
    return list(values)


def expect(operator, *operands, elements=None, dtype=None, **attributes):
    """The golden answer of a call, with verdicts, for judge(). Of the outputs only shapes and types are used; they may be
    left out as in a call. Of outputs that the call reads before it writes them, as MULTIHEAD_ATTENTION1's caches with
    PastSequenceLengthsTensor, the elements are used, and remain as they are.

    In place of an input array, the Expected of another call says that a device holds its own result there, which is not at
    hand: its first output, and all numbers that are right for it. Elements for which that is not enough depend on it.

    Copies the inputs, for the report. Inputs for which the result is undefined, as an index out of range, are not refused,
    though the call refuses them: the verdicts say what is undefined, and judge() compares the rest.

    elements: judge at most so many elements of each output, for large outputs: corners, edges of tiles, last rows and
    columns, and others. values then has these, in one dimension. ValueError for an operator that cannot (RNN).
    """
    operator = _operator(operator)
    operands, text = _call(operator, operands, attributes, dtype)
    if elements is not None and not 1 <= elements <= 1_000_000:
        raise ValueError(f"elements: wanted 1 to 1,000,000, got {elements!r}")
    return _goldml.expect(operator, operands, text, elements)


def validate(what, *operands, feature_level="6_4", policies=(), **attributes):
    """Every rule on descs and memory that is broken, as a list of messages: by the operators of a model's file, or by one
    call. Rules on the elements, as indices out of range, are checked by the call itself.

    goldml.validate("model.json", policies=["nan_policy=propagate"]) or goldml.validate("ARGMIN", x, y, Axes=[1])
    """
    if operands:
        if policies:
            raise TypeError("policies are those of a model's file; the policies of a call are keyword arguments")
        operator = _operator(what)
        operands = _arrays(operator, operands)
        text = _attributes(operator, operands, {**attributes, "feature_level": feature_level})
        return _goldml.validate_call(operator, operands, text)
    if attributes:
        raise TypeError("wanted the arrays of a call before its attributes; a model's file has its attributes inside")
    return _goldml.validate_model(_os.fspath(what), feature_level, _strings("policies", policies))


def run(model, backend="cpu", feature_level="6_4", policies=(), output_dir=None):
    """Plays a model, and returns the contents of its resources afterwards: a dict of arrays in one dimension.

    A resource of several types is left out, and one whose bytes are no multiple of four has elements of padding. Files
    that the model writes go to output_dir, by default the folder goldml-outputs of the current one.
    """
    folder = None if output_dir is None else _os.fspath(output_dir)
    return _goldml.run_model(_os.fspath(model), backend, feature_level, _strings("policies", policies), folder)


def _device_options(strict, reciprocals, functions, stable):
    for name, value, values in (
        ("reciprocals", reciprocals, ("accept", "refuse")),
        ("functions", functions, ("conformance", "close")),
    ):
        if value not in values:
            raise ValueError(f"{name}: wanted {values[0]!r} or {values[1]!r}, got {value!r}")
    return strict, reciprocals == "refuse", functions == "close", stable


def judge(expected, actual, strict=False, reciprocals="accept", functions="conformance", stable=False, fit=False):
    """Judges the outputs of a device. The result is true if every defined element is right, and prints as a report.

    expected: of expect(), or a Case. actual: an array, or a list of arrays, in the order of DirectML's structure, with
    None for an output that is absent.
    strict: accept only the golden bits, not what Direct3D leaves open (other NaNs, flushed FLOAT32 subnormals), and stable.
    reciprocals: 'refuse' quotients and roots that only an approximate reciprocal explains (suspicious by default).
    functions: 'close' accepts of functions only what known hardware needs, not what conformance tests permit.
    stable: accept no infinity or NaN of an intermediate result that overflows where the golden value is finite.
    fit: an output of sums differs, too, if its errors are larger than those of its precision; the result's fit tells.
    If nothing is defined, the result is true and its outcome 'undefined'; it is 'depends' if nothing differs and elements
    depend on what is not known of an intermediate; compared is the number of elements compared.
    """
    if isinstance(expected, Case):
        expected = expected.expected
    if not isinstance(expected, Expected):
        raise TypeError(f"expected: wanted an Expected or a Case, got {type(expected).__name__}")
    options = _device_options(strict, reciprocals, functions, stable)
    if isinstance(actual, _np.ndarray):
        actual = [actual]
    elif not hasattr(actual, "__iter__"):
        raise TypeError(f"actual: wanted an array or a list of arrays, got {type(actual).__name__}")
    actual = list(actual)
    for i, one in enumerate(actual):
        if one is not None and not isinstance(one, _np.ndarray):
            raise TypeError(f"actual[{i}]: wanted an array, or None for an output that is absent, got {type(one).__name__}")
    return _goldml.judge(expected, actual, *options, fit)


def tolerance(expected, strict=False, reciprocals="accept", functions="conformance", stable=False):
    """The smallest tolerance that accepts every right device, for tests that take only numbers.

    expected: of expect(), or a Case, or any number of them, as cases() gives: then one tolerance for all.
    Returns a dict for each data type of the outputs, by its name, as result["float32"]["absolute"]:
    absolute, relative: the pair with |got - golden| <= absolute + relative * |golden|, as numpy.isclose compares. Of those
    that accept every right device it is the tightest one. Convert float16 to float32 before.
    absolute_alone, relative_alone: if the other is 0; ulp: representable numbers from the golden one.
    width: how many times the error of a right device the pair allows, about.
    rounded, exact, nans, open, undefined: numbers of elements that right devices round differently; of which only the golden
    value is right, so that any tolerance is too wide; NaN; that may be infinite, NaN or anything, for which there is no
    tolerance; and that are not defined.
    wrong: what is let through of devices with 'a missing term', 'TF32 inputs' and 'FLOAT16 sums': of outputs and elements
    how many are wrong, and how many of these pass by the pair, by ulp, and by judge() ('interval').
    """
    options = _device_options(strict, reciprocals, functions, stable)
    given = [expected] if isinstance(expected, (Case, Expected)) else expected

    def answers():
        for one in given:
            if not isinstance(one, (Case, Expected)):
                raise TypeError(f"expected: wanted an Expected or a Case, got {type(one).__name__}")
            yield one.expected if isinstance(one, Case) else one

    return _goldml.tolerances(answers(), *options)


def cases(operator, count=1000, seed=1, first=0, *, most_elements=None, sizes_class="mixed", data_types=(),
          dimension_counts=(), sizes=(), operand_types=None, strides=(), data=(), feature_level="6_4", **attributes):
    """Generates cases first .. first + count - 1 of a seed, which are the same everywhere. The rest selects among them:

    data_types, dimension_counts, sizes: of the first tensor that is present, as [np.float32], [2, 4], [2, 3, 4].
    most_elements: of that tensor; by default 300, of tiles 200,000, of given sizes 2^24.
    sizes_class: 'tiles', the sizes at which kernels break, around 16 to 4096 and 65536; 'small'; or 'mixed', a quarter of
    which is tiles.
    operand_types: of others by name, {"IndicesTensor": [np.int32]}; an optional one that is named is present.
    strides: of 'packed', 'permuted', 'padded', 'broadcast', 'overlapping', 'interleaved'. data: classes of values, as 'ties'.
    Attributes and policies are keyword arguments, as of a call: Axes=[1], nan_policy="propagate".
    """
    operator = _operator(operator)
    if min(count, seed, first, most_elements or 0) < 0:
        raise ValueError("count, seed, first and most_elements are at least 0")
    if len(sizes) > 8:
        raise ValueError(f"sizes: wanted at most 8, got {len(sizes)}")
    selection = _goldml.select_cases(
        operator, seed, most_elements, *_chosen("sizes_class", [sizes_class], _names["sizes_class"]),
        _data_types("data_types", data_types), list(dimension_counts), list(sizes),
        [(name, _data_types(f"operand_types: {name}", types)) for name, types in (operand_types or {}).items()],
        _chosen("strides", strides, _names["strides"]), _chosen("data", data, _names["data"]),
        *_chosen("feature_level", [feature_level], _names["feature_level"]), _attribute_texts(operator, None, attributes))
    return (_goldml.generate(selection, number) for number in range(first, first + count))


def shrink(case, fails, most_runs=2000):
    """The simplest case that still fails: of fewer dimensions and elements, packed, with default attributes and small numbers.

    fails(case) runs a case and returns whether it fails, or the Judgement of it. It is called at most most_runs times, with
    legal cases only; what it raises ends the search. ValueError if it says that the given case does not fail.
    """
    smallest, _ = _goldml.shrink(case, fails, most_runs)
    if smallest is None:
        raise ValueError("shrink: the case does not fail")
    return smallest


def case(line):
    """The case of a line, as reports print it."""
    if not isinstance(line, str):
        raise TypeError(f"line: wanted a string, got {line!r}")
    return _goldml.case_of_line(line)


def operators():
    """The names of the operators."""
    return list(_rows)


def _no_new(cls, *_, **__):
    raise TypeError(f"{cls.__name__} is made by goldml only")


def _operands_of(case):
    rows, inputs, outputs = _rows[case.operator]["operands"], case.inputs, case.outputs
    result = []
    for is_output, given in ((False, inputs), (True, outputs)):
        mine = [row for row in rows if row["is_output"] == is_output]
        spare = len(given) - len(mine)  # an array of tensors has one more or fewer
        for row in mine:
            count = 1 + spare if row["is_array"] else 1
            result.append(given[:count] if row["is_array"] else given[0])
            given = given[count:]
    return result


for _class in (Case, Expected, Judgement):
    _class.__new__ = _no_new
Case.operands = property(_operands_of, doc="The arrays for call(): inputs and outputs, arrays of tensors as lists.")

__all__ = ["BackendFailure", "Case", "Expected", "Judgement", "call", "case", "cases", "expect", "judge", "operators",
           "run", "shrink", "tolerance", "validate", *_operators.__all__]
