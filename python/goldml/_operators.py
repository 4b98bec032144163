"""The functions of the operators, their help and their type stub, made of the operators' rows."""

import difflib as _difflib
import inspect as _inspect
import textwrap as _textwrap

import numpy as _np

from . import _goldml

_rows = _goldml.operators
_names = _goldml.names
_latest = _names["feature_level"][-1]


def _one_of(names):
    *others, last = map(repr, names)
    return f"{', '.join(others)} or {last}" if others else last


def _chosen(name, values, known):
    """A name or a list of names, as a list. ValueError for one that is not known."""
    values = [values] if isinstance(values, str) else list(values)
    for value in values:
        if value not in known:
            close = _difflib.get_close_matches(str(value), known, 1)
            question = f"; did you mean {close[0]!r}?" if close else ""
            raise ValueError(f"{name}: wanted {_one_of(known)}, got {value!r}{question}")
    return values


def _data_types(name, values):
    """Data types as NumPy's, or by DirectML's names: np.float32, "FLOAT32", or a list of them."""
    if isinstance(values, (str, type, _np.dtype)):
        values = [values]

    def name_of(value):
        try:
            dtype = _np.dtype(value.lower() if isinstance(value, str) else value)
        except TypeError:
            return value
        return "UINT8" if dtype.kind == "b" else dtype.name.upper()

    return _chosen(name, map(name_of, values), _names["data_types"])


def _operator(name):
    if not isinstance(name, str):
        raise TypeError(f"operator: wanted a name, got {name!r}")
    known = name.upper().removeprefix("DML_OPERATOR_")
    if known not in _rows:
        close = _difflib.get_close_matches(known, _rows, 1)
        raise ValueError(f"goldml has no operator {name!r}" + (f"; did you mean {close[0]}?" if close else ""))
    return known


def _scalar_text(name, value, operands):
    """The value of an attribute that has a data type."""
    wanted = f"{name}: wanted a number that the type of the first array holds, or a NumPy scalar"
    if isinstance(value, (bool, int, float)) and not isinstance(value, _np.generic) and operands is not None:
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


def _activation_text(name, value):
    """{"Type": "ACTIVATION_LINEAR", "Alpha": 2, "Beta": 1}, as in the line of a case."""
    members = dict(value)
    (kind,) = _chosen(f"{name}: Type", [members.pop("Type", None)], list(_names["activations"]))
    scale_bias = members.pop("ScaleBias", None)
    wanted = _names["activations"][kind]
    if set(members) != set(wanted):
        raise TypeError(f"{name}: {kind} has {', '.join(wanted) or 'no members'}; got {', '.join(map(str, members)) or 'none'}")
    values = [_text(f"{name}: {member}", members[member], "float") for member in wanted]
    text = kind + ("".join(values) if "Axes" in members else "{" + ",".join(values) + "}" if values else "")
    return text + ("" if scale_bias is None else "+scale_bias" + _text(f"{name}: ScaleBias", scale_bias, "floats"))


def _text(name, value, kind, operands=()):
    """The value of an attribute, as in the line of a case. operands is None where there is no array to give a type."""
    if isinstance(value, _np.ndarray) and value.ndim == 0:
        value = value[()]
    if kind == "scalar" and isinstance(value, str) and value in ("nan", "inf", "-inf"):  # of a plain corpus
        value = float(value)
    if kind == "scalar" and value is not None and not isinstance(value, str):
        return _scalar_text(name, value, operands)
    if isinstance(value, (bool, _np.bool_)):
        return "true" if value else "false"
    if value is None:
        return "none"
    if isinstance(value, dict):
        return _activation_text(name, value)
    if isinstance(value, (list, tuple, range, _np.ndarray)):
        return "{" + ",".join(_text(name, one, "", operands) for one in value) + "}"
    if isinstance(value, (float, _np.floating)):
        with _np.errstate(over="ignore"):
            single = _np.float32(value)
        if _np.isinf(single) and not _np.isinf(value):
            raise ValueError(f"{name}: wanted a number that FLOAT32 holds, got {value!r}")
        return f"0x{int(single.view(_np.uint32)):08X}" if _np.isnan(single) else str(single)
    if isinstance(value, (int, _np.integer)):
        return str(int(value))
    if isinstance(value, str) and "".join(value.split()).isprintable() and value.strip():
        return "".join(value.split())
    raise TypeError(f"{name}: wanted a number, a list of them, a name or a bool, got {value!r}")


def _attribute_texts(operator, operands, attributes):
    known = {row["name"]: row["kind"] for row in _rows[operator]["attributes"]} | {"feature_level": "enumerator"}
    for name in attributes:
        if name not in known:
            close = _difflib.get_close_matches(name, known, 1)
            question = f"; did you mean {close[0]}?" if close else ""
            raise TypeError(f"{operator} has no attribute {name!r}; it has {', '.join(known)}{question}")
    return [f"{name}={_text(name, value, known[name], operands)}" for name, value in attributes.items()]


def _attributes(operator, operands, attributes):
    return " ".join(_attribute_texts(operator, operands, attributes))


def _arrays(operator, operands, may_lack_outputs=False):
    """The operands, one for each row, or but for the outputs; arrays of tensors as lists."""
    rows = _rows[operator]["operands"]
    inputs = sum(not row["is_output"] for row in rows)
    if may_lack_outputs and len(operands) <= inputs:
        operands = [*operands, *[None] * (inputs - len(operands))]  # optional ones at the end, or refused
    elif len(operands) != len(rows):
        raise TypeError(f"{operator} takes {len(rows)} arrays: {', '.join(row['name'] for row in rows)}; got {len(operands)}")
    result = []
    for row, operand in zip(rows, operands):
        if row["is_array"] and operand is not None:
            if isinstance(operand, _np.ndarray) or not hasattr(operand, "__iter__"):
                raise TypeError(f"{operator}: {row['name']}: wanted a list of arrays, got {type(operand).__name__}")
            operand = list(operand)
        result.append(operand)
    return result


def _call(operator, operands, attributes, dtype):
    """The operands of a call, with new arrays for outputs if none is given, and the attributes as text."""
    operands = _arrays(operator, operands, may_lack_outputs=True)
    text = _attributes(operator, operands, attributes)
    if len(operands) < len(_rows[operator]["operands"]):
        operands += _goldml.new_outputs(operator, operands, text, dtype)
    elif dtype is not None:
        raise TypeError("dtype is that of new outputs, and the outputs are given")
    return operands, text


def call(operator, *operands, backend="cpu", dtype=None, **attributes):
    """Computes an operator by its name. The functions of the operators are this one.

    The outputs are the last arrays. They are written in place, and returned: one array, or a tuple of several. If none is
    given, they are new arrays; optional inputs at the end may then be left out. ValueError if the inputs and attributes
    leave a shape open, or a type without dtype.
    """
    operator = _operator(operator)
    operands, text = _call(operator, operands, attributes, dtype)
    _goldml.evaluate(operator, operands, text, backend)
    outputs = []
    for row, operand in zip(_rows[operator]["operands"], operands):
        if row["is_output"] and operand is not None:
            outputs.extend(operand if row["is_array"] else [operand])
    return outputs[0] if len(outputs) == 1 else tuple(outputs)


# Help and stub.

_kinds = {  # of an attribute: in help, and in the stub
    "int": ("an integer", "int"),
    "float": ("a number", "float"),
    "bool": ("True or False", "bool"),
    "ints": ("a list of integers", "Sequence[int]"),
    "floats": ("a list of numbers", "Sequence[float]"),
    "scalar": ("a NumPy scalar, or a number that the first array's type holds", "generic | int | float | None"),
    "size": ("[width, height]", "Sequence[int]"),
    "scale_bias": ("[scale, bias] or None", "Sequence[float] | None"),
    "activation": ("an activation or None", "_Activation | None"),
    "activations": ("a list of activations", "Sequence[_Activation]"),
}


def _is_required(row):
    """Whether an attribute has no default: its value in a new desc is no enumerator."""
    return row["kind"] == "enumerator" and row["default"] not in row["names"]


def _all_rows(operator):
    """The attributes, and goldml's policies after them."""
    level = {"name": "feature_level", "kind": "enumerator", "names": _names["feature_level"], "default": _latest,
             "is_policy": True}
    return [*_rows[operator]["attributes"], level]


def _attribute_help(row):
    default = "" if _is_required(row) else f" = {row['default']!r}"
    what = _one_of(row["names"]) if row["kind"] == "enumerator" else _kinds[row["kind"]][0]
    if row["name"] == "feature_level":
        what = f"{row['names'][0]!r} to {row['names'][-1]!r}"
    return f"  {row['name']}{default}: {what}"


def _operand_help(row):
    fewest, most = row["dimensions"]
    words = [", ".join(row["types"]).lower(), f"{fewest} to {most} dimensions" if fewest < most else f"{most} dimensions"]
    words += ["a list of arrays"] * row["is_array"] + ["may be None"] * row["is_optional"] + ["output"] * row["is_output"]
    return f"  {row['name']}: {'; '.join(words)}"


def _help(operator):
    row = _rows[operator]
    lines = [f"DML_OPERATOR_{operator}, from feature level {row['level']} on.", "", f"Arrays, at level {_latest}:"]
    lines += map(_operand_help, row["operands"])
    for title, is_policy in (("Attributes:", False), ("Policies of goldml:", True)):
        own = [_attribute_help(a) for a in _all_rows(operator) if a["is_policy"] == is_policy]
        lines += ["", title, *own] if own else []
    if any(a["kind"].startswith("activation") for a in row["attributes"]):
        lines += ["", "An activation is a dict, {'Type': 'ACTIVATION_LINEAR', 'Alpha': 2.0, 'Beta': 1.0}, or the name of one without",
                  "members, 'ACTIVATION_RELU'."]
    return "\n".join([*lines, "", "backend: 'cpu' or 'reference'. Outputs that are left out are new arrays; dtype is their type where the",
                      "operator leaves it open."])


class _New:
    def __repr__(self):
        return "<new>"


def _signature(operator):
    parameter = _inspect.Parameter
    operands = _rows[operator]["operands"]
    inputs = [row for row in operands if not row["is_output"]]
    positional = []
    for i, row in enumerate(operands):
        may_lack = row["is_output"] or all(later["is_optional"] for later in inputs[i:])
        default = (_New() if row["is_output"] else None) if may_lack else parameter.empty
        positional.append(parameter(row["name"], parameter.POSITIONAL_ONLY, default=default))
    named = [parameter(row["name"], parameter.KEYWORD_ONLY, default=parameter.empty if _is_required(row) else row["default"])
             for row in _all_rows(operator)]
    named += [parameter(name, parameter.KEYWORD_ONLY, default=default) for name, default in (("backend", "cpu"), ("dtype", None))]
    return _inspect.Signature([*positional, *named])


def _function_of(operator):
    def function(*operands, backend="cpu", dtype=None, **given):
        return call(operator, *operands, backend=backend, dtype=dtype, **given)

    function.__name__ = function.__qualname__ = operator.lower()
    function.__doc__ = _help(operator)
    function.__signature__ = _signature(operator)
    return function


def _array_type(row, may_lack):
    types = " | ".join(f"{name.lower()} | bool_" if name == "UINT8" else name.lower() for name in row["types"] if not name.endswith("INT4"))
    text = f"NDArray[{types}]"
    if row["is_array"]:
        text = f"Sequence[{text}]"
    return text + (" | None" if row["is_optional"] else "") + (" = None" if may_lack else "")


def _literal(names):
    return f"Literal[{', '.join(map(repr, names))}]"


def _stub_of(operator):
    """Two overloads: without outputs, and with all of them."""
    rows = _rows[operator]["operands"]
    inputs, outputs = ([row for row in rows if row["is_output"] == is_output] for is_output in (False, True))
    if any(row["is_array"] or row["is_optional"] for row in outputs):
        result = "NDArray[Any] | tuple[NDArray[Any], ...]"
    else:
        result = ", ".join(_array_type(row, False) for row in outputs)
        result = f"tuple[{result}]" if len(outputs) > 1 else result
    attributes = []
    for row in _all_rows(operator):
        kind = _literal(row["names"]) if row["kind"] == "enumerator" else _kinds[row["kind"]][1]
        kind = "_Level" if row["name"] == "feature_level" else kind
        default = "..." if row["default"] in (_np.inf, -_np.inf) else repr(row["default"])
        attributes.append(f"{row['name']}: {kind}" + ("" if _is_required(row) else f" = {default}"))
    attributes.append("backend: Literal['cpu', 'reference'] = 'cpu'")
    with_optional = [f"{row['name']}: {_array_type(row, all(later['is_optional'] for later in inputs[i:]))}" for i, row in enumerate(inputs)]
    with_outputs = [f"{row['name']}: {_array_type(row, False)}" for row in rows]
    lines = []
    for operands, more in ((with_optional, ["dtype: DTypeLike | None = None"]), (with_outputs, [])):
        parameters = [*operands, *(["/"] if operands else []), "*", *attributes, *more]
        lines += ["@overload", f"def {operator.lower()}(", *(f"    {one}," for one in parameters), f") -> {result}:"]
        lines += [_textwrap.indent(f'"""{_help(operator)}\n"""' if more else "...", "    ")]
    return "\n".join(lines)


def _stub():
    """The type stub of this module."""
    types = ", ".join(sorted(name.lower() for name in _names["data_types"]))
    head = ["# Written by goldml/_operators.py.", "from typing import Any, Literal, Mapping, Sequence, overload", "",
            f"from numpy import bool_, generic, {types}", "from numpy.typing import DTypeLike, NDArray", "",
            f"_Level = {_literal(_names['feature_level'])}",
            "_Activation = str | Mapping[str, str | float | Sequence[int] | Sequence[float] | None]", ""]
    return "\n".join([*head, *(_stub_of(operator) + "\n" for operator in _rows)])


for _name in _rows:
    globals()[_name.lower()] = _function_of(_name)

__all__ = [name.lower() for name in _rows]
