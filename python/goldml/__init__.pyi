from os import PathLike
from typing import Any, Callable, Iterable, Iterator, Literal, Mapping, Sequence

import numpy as np
from numpy.typing import DTypeLike

# Each operator, by its name in lower case: written with the module.
from ._operators import *

__version__: str

_Operand = np.ndarray | Sequence[np.ndarray] | None

# The Expected of a call in place of its result.
_ChainedOperand = np.ndarray | Expected | Sequence[np.ndarray | Expected] | None

class BackendFailure(RuntimeError): ...

class Expected:
    @property
    def values(self) -> list[np.ndarray | None]: ...

class Judgement:
    @property
    def outcome(self) -> str: ...
    @property
    def report(self) -> str: ...
    @property
    def compared(self) -> int: ...
    @property
    def differing(self) -> int: ...
    @property
    def suspicious(self) -> int: ...
    @property
    def toward_zero(self) -> int: ...
    @property
    def overflowed(self) -> int: ...
    @property
    def hardly_tested(self) -> int: ...
    @property
    def fit(self) -> dict[str, Any] | None: ...
    def __bool__(self) -> bool: ...

class Case:
    @property
    def line(self) -> str: ...
    @property
    def operator(self) -> str: ...
    @property
    def inputs(self) -> list[np.ndarray | None]: ...
    @property
    def outputs(self) -> list[np.ndarray | None]: ...
    @property
    def expected(self) -> Expected: ...
    @property
    def attributes(self) -> dict[str, Any]: ...
    @property
    def operands(self) -> list[_Operand]: ...

def call(
    operator: str, *operands: _Operand, backend: str = ..., dtype: DTypeLike | None = ..., **attributes: Any
) -> Any: ...
def expect(
    operator: str, *operands: _ChainedOperand, elements: int | None = ..., dtype: DTypeLike | None = ..., **attributes: Any
) -> Expected: ...
def validate(
    what: str | PathLike[str],
    *operands: _Operand,
    feature_level: str = ...,
    policies: Sequence[str] = ...,
    **attributes: Any,
) -> list[str]: ...
def run(
    model: str | PathLike[str],
    backend: str = ...,
    feature_level: str = ...,
    policies: Sequence[str] = ...,
    output_dir: str | PathLike[str] | None = ...,
) -> dict[str, np.ndarray]: ...
def judge(
    expected: Expected | Case,
    actual: np.ndarray | Sequence[np.ndarray | None],
    strict: bool = ...,
    reciprocals: str = ...,
    functions: str = ...,
    stable: bool = ...,
    fit: bool = ...,
) -> Judgement: ...
def tolerance(
    expected: Expected | Case | Iterable[Expected | Case],
    strict: bool = ...,
    reciprocals: str = ...,
    functions: str = ...,
    stable: bool = ...,
) -> dict[str, dict[str, Any]]: ...
def cases(
    operator: str,
    count: int = ...,
    seed: int = ...,
    first: int = ...,
    *,
    most_elements: int | None = ...,
    sizes_class: Literal["mixed", "small", "tiles"] = ...,
    data_types: DTypeLike | Sequence[DTypeLike] = ...,
    dimension_counts: Sequence[int] = ...,
    sizes: Sequence[int] = ...,
    operand_types: Mapping[str, DTypeLike | Sequence[DTypeLike]] | None = ...,
    strides: str | Sequence[str] = ...,
    data: str | Sequence[str] = ...,
    feature_level: str = ...,
    **attributes: Any,
) -> Iterator[Case]: ...
def shrink(case: Case, fails: Callable[[Case], bool | Judgement], most_runs: int = ...) -> Case: ...
def case(line: str) -> Case: ...
def operators() -> list[str]: ...
