"""goldml: what DirectML operators must compute, on NumPy arrays.

Each operator is a function with its name in lower case: goldml.argmin, goldml.scatter_nd. It takes an array for each tensor,
in the order of DirectML's structure, outputs last; None for an optional tensor that is absent, a list for an array of
tensors. Attributes and goldml's policies are keyword arguments with DirectML's names. The outputs are written in place and
returned. Arrays are not copied, and their strides are the tensors'. What DirectML would refuse is a ValueError with the
code of the rule.

    >>> x = np.array([[3, 1, 2], [0, 5, 0]], np.float32)
    >>> goldml.argmin(x, np.zeros((2, 1), np.uint32), Axes=[1])
    array([[1],
           [0]], dtype=uint32)
"""

import numpy as _np

from . import _goldml
from ._goldml import BackendFailure, Case, Expected, Judgement

__version__ = _goldml.version


def _text(name, value, is_scalar, operands):
    """The value of an attribute, as in the line of a case."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "none"
    if is_scalar and not isinstance(value, str):
        array = value if isinstance(value, (_np.generic, _np.ndarray)) else None
        if array is None:  # a number: of the type of the first tensor
            first = next(o for o in operands if isinstance(o, _np.ndarray))
            array = _np.array(value, first.dtype)
        bits = int.from_bytes(array.tobytes(), "little")
        kinds = {"f": "FLOAT", "i": "INT", "u": "UINT", "b": "UINT"}
        return f"{kinds[array.dtype.kind]}{8 * array.dtype.itemsize}:0x{bits:X}"
    if isinstance(value, (list, tuple, _np.ndarray)):
        return "{" + ",".join(_text(name, one, False, operands) for one in value) + "}"
    if isinstance(value, (float, _np.floating)):
        return f"0x{int(_np.float32(value).view(_np.uint32)):08X}"
    if isinstance(value, (int, _np.integer)):
        return str(int(value))
    if isinstance(value, str) and value and not any(c.isspace() for c in value):
        return value
    raise TypeError(f"{name}: wanted a number, a list of them, a name or a bool, got {value!r}")


_operators = {
    name: ([operand for operand in operands], dict(attributes)) for name, operands, attributes in _goldml.operators()
}


def _attributes(operator, operands, attributes):
    known = _operators[operator][1]
    for name in attributes:
        if name not in known and name != "feature_level":
            raise TypeError(f"{operator} has no attribute {name!r}; it has {', '.join([*known, 'feature_level'])}")
    return " ".join(f"{name}={_text(name, value, known.get(name, False), operands)}" for name, value in attributes.items())


def _name(operator):
    name = operator.upper().removeprefix("DML_OPERATOR_")
    if name not in _operators:
        raise ValueError(f"goldml has no operator {operator!r}")
    return name


def call(operator, *operands, backend="cpu", **attributes):
    """Computes an operator by its name. The functions of the operators are this one.

    The outputs are the last arrays. They are written in place, and returned: one array, or a tuple of several.
    """
    operator = _name(operator)
    rows = _operators[operator][0]
    if len(operands) != len(rows):
        raise TypeError(f"{operator} takes {len(rows)} arrays: {', '.join(row[0] for row in rows)}")
    _goldml.evaluate(operator, operands, _attributes(operator, operands, attributes), backend)
    outputs = []
    for (_, is_output, is_array), operand in zip(rows, operands):
        if is_output and operand is not None:
            outputs.extend(operand if is_array else [operand])
    return outputs[0] if len(outputs) == 1 else tuple(outputs)


def expect(operator, *operands, **attributes):
    """The golden answer of a call, with verdicts, for judge(). Of the outputs only shapes and types are used."""
    operator = _name(operator)
    return _goldml.expect(operator, operands, _attributes(operator, operands, attributes))


def validate(what, *operands, feature_level="6_4", policies=(), **attributes):
    """Every rule that is broken, as a list of messages: by the operators of a model's file, or by one call.

    goldml.validate("model.json") or goldml.validate("ARGMIN", x, y, Axes=[1])
    """
    if operands:
        operator = _name(what)
        text = _attributes(operator, operands, {**attributes, "feature_level": feature_level})
        return _goldml.validate_call(operator, operands, text)
    if attributes:
        raise TypeError("a model's file has its attributes inside")
    return _goldml.validate_model(str(what), feature_level, list(policies))


def run(model, backend="cpu", feature_level="6_4", policies=(), output_dir=None):
    """Plays a model, and returns the contents of its resources afterwards: a dict of arrays in one dimension."""
    folder = None if output_dir is None else str(output_dir)
    return _goldml.run_model(str(model), backend, feature_level, list(policies), folder)


def judge(expected, actual, strict=False):
    """Judges the outputs of a device. The result is true if every defined element is right, and prints as a report.

    expected: of expect(), or a Case. actual: an array, or a list of arrays, in the order of DirectML's structure, with
    None for an output that is absent.
    strict: accept only the golden bits, not what Direct3D leaves open (other NaNs, flushed FLOAT32 subnormals).
    """
    if isinstance(expected, Case):
        expected = expected.expected
    return _goldml.judge(expected, [actual] if isinstance(actual, _np.ndarray) else list(actual), strict)


def cases(operator, count=1000, seed=1, first=0, most_elements=300, attributes=()):
    """Generates cases: the same for the same seed everywhere. attributes: a selection, such as ["Axes={1}"]."""
    operator = _name(operator)
    for number in range(first, first + count):
        yield _goldml.generate(operator, number, seed, most_elements, list(attributes))


def case(line):
    """The case of a line, as reports print it."""
    return _goldml.case_of_line(line)


def operators():
    """The names of the operators."""
    return list(_operators)


def _function_of(operator):
    rows, attributes = _operators[operator]

    def function(*operands, backend="cpu", **given):
        return call(operator, *operands, backend=backend, **given)

    function.__name__ = function.__qualname__ = operator.lower()
    tensors = ", ".join(name + ("" if not is_output else " (output)") for name, is_output, _ in rows)
    function.__doc__ = f"DML_OPERATOR_{operator}.\n\nArrays: {tensors}.\nAttributes and policies: {', '.join(attributes)}."
    return function


for _operator in _operators:
    globals()[_operator.lower()] = _function_of(_operator)

__all__ = ["BackendFailure", "Case", "Expected", "Judgement", "call", "case", "cases", "expect", "judge", "operators",
           "run", "validate", *map(str.lower, _operators)]
