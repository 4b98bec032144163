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

from . import _goldml
from ._goldml import BackendFailure, Case, Expected, Judgement

__version__ = _goldml.version


def _scalar_text(name, value, operands):
    """The value of an attribute that has a data type."""
    wanted = f"{name}: wanted a number that the type of the first array holds, or a NumPy scalar"
    if isinstance(value, (bool, int, float)):
        first = next((o for o in operands if isinstance(o, _np.ndarray)), None)
        if first is None or first.dtype.kind not in "fiub":
            return "none"  # the arrays are refused
        if first.dtype.kind in "iu":
            limits = _np.iinfo(first.dtype)
            if not (isinstance(value, int) and limits.min <= value <= limits.max):
                raise TypeError(f"{wanted}, got {value!r} for {first.dtype}")
        value = _np.array(value, first.dtype.newbyteorder("="))[()]
    if not isinstance(value, _np.generic) or value.dtype.kind not in "fiub" or value.dtype.itemsize > 8:
        raise TypeError(f"{wanted}, got {value!r}")
    kinds = {"f": "FLOAT", "i": "INT", "u": "UINT", "b": "UINT"}
    return f"{kinds[value.dtype.kind]}{8 * value.dtype.itemsize}:0x{int.from_bytes(value.tobytes(), 'little'):X}"


def _text(name, value, is_scalar, operands):
    """The value of an attribute, as in the line of a case."""
    if isinstance(value, _np.ndarray) and value.ndim == 0:
        value = value[()]
    if is_scalar and value is not None and not isinstance(value, str):
        return _scalar_text(name, value, operands)
    if isinstance(value, (bool, _np.bool_)):
        return "true" if value else "false"
    if value is None:
        return "none"
    if isinstance(value, (list, tuple, range, _np.ndarray)):
        return "{" + ",".join(_text(name, one, False, operands) for one in value) + "}"
    if isinstance(value, (float, _np.floating)):
        return f"0x{int(_np.float32(value).view(_np.uint32)):08X}"
    if isinstance(value, (int, _np.integer)):
        return str(int(value))
    if isinstance(value, str) and "".join(value.split()).isprintable() and value.strip():
        return "".join(value.split())
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
    if not isinstance(operator, str):
        raise TypeError(f"operator: wanted a name, got {operator!r}")
    name = operator.upper().removeprefix("DML_OPERATOR_")
    if name not in _operators:
        raise ValueError(f"goldml has no operator {operator!r}")
    return name


def _arrays(operator, operands, may_lack_outputs=False):
    """The operands, one for each row, or but for the outputs; arrays of tensors as lists."""
    rows = _operators[operator][0]
    inputs = sum(not is_output for _, is_output, _ in rows)
    if may_lack_outputs and len(operands) <= inputs:
        operands = [*operands, *[None] * (inputs - len(operands))]  # optional ones at the end, or refused
    elif len(operands) != len(rows):
        raise TypeError(f"{operator} takes {len(rows)} arrays: {', '.join(row[0] for row in rows)}; got {len(operands)}")
    result = []
    for (name, _, is_array), operand in zip(rows, operands):
        if is_array and operand is not None:
            if isinstance(operand, _np.ndarray) or not hasattr(operand, "__iter__"):
                raise TypeError(f"{operator}: {name}: wanted a list of arrays, got {type(operand).__name__}")
            operand = list(operand)
        result.append(operand)
    return result


def _call(operator, operands, attributes, dtype):
    """The operands of a call, with new arrays for outputs if none is given, and the attributes as text."""
    operands = _arrays(operator, operands, may_lack_outputs=True)
    text = _attributes(operator, operands, attributes)
    if len(operands) < len(_operators[operator][0]):
        operands += _goldml.new_outputs(operator, operands, text, dtype)
    elif dtype is not None:
        raise TypeError("dtype is that of new outputs, and the outputs are given")
    return operands, text


def _strings(name, values):
    if isinstance(values, (str, dict)):
        raise TypeError(f"{name}: wanted a list of strings, got {values!r}")
    return list(values)


def call(operator, *operands, backend="cpu", dtype=None, **attributes):
    """Computes an operator by its name. The functions of the operators are this one.

    The outputs are the last arrays. They are written in place, and returned: one array, or a tuple of several. If none is
    given, they are new arrays; optional inputs at the end may then be left out. ValueError if the inputs and attributes
    leave a shape open, or a type without dtype.
    """
    operator = _name(operator)
    operands, text = _call(operator, operands, attributes, dtype)
    _goldml.evaluate(operator, operands, text, backend)
    outputs = []
    for (_, is_output, is_array), operand in zip(_operators[operator][0], operands):
        if is_output and operand is not None:
            outputs.extend(operand if is_array else [operand])
    return outputs[0] if len(outputs) == 1 else tuple(outputs)


def expect(operator, *operands, elements=None, dtype=None, **attributes):
    """The golden answer of a call, with verdicts, for judge(). Of the outputs only shapes and types are used; they may be
    left out as in a call.

    In place of an input array, the Expected of another call says that a device holds its own result there, which is not at
    hand: its first output, and all numbers that are right for it. Elements for which that is not enough depend on it.

    Copies the inputs, for the report. Inputs for which the result is undefined, as an index out of range, are not refused,
    though the call refuses them: the verdicts say what is undefined, and judge() compares the rest.

    elements: judge at most so many elements of each output, for large outputs: corners, edges of tiles, last rows and
    columns, and others. values then has these, in one dimension. ValueError for an operator that cannot (RNN).
    """
    operator = _name(operator)
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
        operator = _name(what)
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


def judge(expected, actual, strict=False, reciprocals="accept", functions="conformance", stable=False):
    """Judges the outputs of a device. The result is true if every defined element is right, and prints as a report.

    expected: of expect(), or a Case. actual: an array, or a list of arrays, in the order of DirectML's structure, with
    None for an output that is absent.
    strict: accept only the golden bits, not what Direct3D leaves open (other NaNs, flushed FLOAT32 subnormals), and stable.
    reciprocals: 'refuse' quotients and roots that only an approximate reciprocal explains (suspicious by default).
    functions: 'close' accepts of functions only what known hardware needs, not what conformance tests permit.
    stable: accept no infinity or NaN of an intermediate result that overflows where the golden value is finite.
    If nothing is defined, the result is true and its outcome 'undefined'; it is 'depends' if nothing differs and elements
    depend on an intermediate that was not given; compared is the number of elements compared.
    """
    if isinstance(expected, Case):
        expected = expected.expected
    if not isinstance(expected, Expected):
        raise TypeError(f"expected: wanted an Expected or a Case, got {type(expected).__name__}")
    for name, value, values in (
        ("reciprocals", reciprocals, ("accept", "refuse")),
        ("functions", functions, ("conformance", "close")),
    ):
        if value not in values:
            raise ValueError(f"{name}: wanted {values[0]!r} or {values[1]!r}, got {value!r}")
    actual = [actual] if isinstance(actual, _np.ndarray) else list(actual)
    return _goldml.judge(expected, actual, strict, reciprocals == "refuse", functions == "close", stable)


def cases(operator, count=1000, seed=1, first=0, most_elements=None, attributes=(), sizes_class="mixed"):
    """Generates cases: the same for the same seed everywhere. attributes: a selection, such as ["Axes={1}"].

    most_elements: of the first tensor; by default 300, of tiles 200,000. sizes_class: "tiles", the sizes at which kernels
    break, around 16 to 4096 and 65536; "small"; or "mixed", a quarter of which is tiles.
    """
    operator = _name(operator)
    attributes = _strings("attributes", attributes)
    if min(seed, first, most_elements or 0) < 0:
        raise ValueError("seed, first and most_elements are at least 0")
    if sizes_class not in ("mixed", "small", "tiles"):
        raise ValueError(f"sizes_class: wanted 'mixed', 'small' or 'tiles', got {sizes_class!r}")
    return (_goldml.generate(operator, number, seed, most_elements, sizes_class, attributes)
            for number in range(first, first + count))


def case(line):
    """The case of a line, as reports print it."""
    if not isinstance(line, str):
        raise TypeError(f"line: wanted a string, got {line!r}")
    return _goldml.case_of_line(line)


def operators():
    """The names of the operators."""
    return list(_operators)


def _function_of(operator):
    rows, attributes = _operators[operator]

    def function(*operands, backend="cpu", dtype=None, **given):
        return call(operator, *operands, backend=backend, dtype=dtype, **given)

    function.__name__ = function.__qualname__ = operator.lower()
    tensors = ", ".join(name + (" (a list)" if is_array else "") + (" (output)" if is_output else "")
                        for name, is_output, is_array in rows)
    function.__doc__ = (f"DML_OPERATOR_{operator}.\n\nArrays: {tensors}.\nAttributes and policies: "
                        f"{', '.join([*attributes, 'feature_level'])}.\nbackend: 'cpu' or 'reference'.\n"
                        "dtype: the type of new outputs, where the operator leaves it open.")
    return function


def _no_new(cls, *_, **__):
    raise TypeError(f"{cls.__name__} is made by goldml only")


def _attributes_of(case):
    words = dict(word.split("=", 1) for word in case.line.split()[1:])
    return {name: words[name] for name in [*_operators[case.operator][1], "feature_level"] if name in words}


def _operands_of(case):
    rows, inputs, outputs = _operators[case.operator][0], case.inputs, case.outputs
    result = []
    for is_output, given in ((False, inputs), (True, outputs)):
        mine = [row for row in rows if row[1] == is_output]
        spare = len(given) - len(mine)  # an array of tensors has one more or fewer
        for _, _, is_array in mine:
            count = 1 + spare if is_array else 1
            result.append(given[:count] if is_array else given[0])
            given = given[count:]
    return result


for _class in (Case, Expected, Judgement):
    _class.__new__ = _no_new
Case.attributes = property(_attributes_of, doc="The attributes, policies and feature level, as text that call() takes.")
Case.operands = property(_operands_of, doc="The arrays for call(): inputs and outputs, arrays of tensors as lists.")


for _operator in _operators:
    globals()[_operator.lower()] = _function_of(_operator)

__all__ = ["BackendFailure", "Case", "Expected", "Judgement", "call", "case", "cases", "expect", "judge", "operators",
           "run", "validate", *map(str.lower, _operators)]
