from os import PathLike
from typing import Any, Iterator, Sequence

import numpy as np

__version__: str

Operand = np.ndarray | Sequence[np.ndarray] | None

class BackendFailure(RuntimeError): ...

class Expected:
    @property
    def values(self) -> list[np.ndarray | None]: ...

class Judgement:
    outcome: str
    report: str
    compared: int
    differing: int
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

def call(operator: str, *operands: Operand, backend: str = ..., **attributes: Any) -> Any: ...
def expect(operator: str, *operands: Operand, **attributes: Any) -> Expected: ...
def validate(
    what: str | PathLike[str],
    *operands: Operand,
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
    expected: Expected | Case, actual: np.ndarray | Sequence[np.ndarray | None], strict: bool = ...
) -> Judgement: ...
def cases(
    operator: str,
    count: int = ...,
    seed: int = ...,
    first: int = ...,
    most_elements: int = ...,
    attributes: Sequence[str] = ...,
) -> Iterator[Case]: ...
def case(line: str) -> Case: ...
def operators() -> list[str]: ...

# Each operator, by its name in lower case.
def __getattr__(name: str) -> Any: ...
