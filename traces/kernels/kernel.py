"""The decorators of this room: kernels compiled at import and cached on disk, tables they work on.

A kernel's types are its annotations: numbers, `Vector[i64]` and `Matrix[i32]` (`scalars`), and
tables (`columns`), each the NamedTuple that is declared with `@table`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, get_args, get_origin, overload

import numba
from numba import types

from irsan.errors import InternalError
from irsan.runtime.kernels.language.compiling import annotated_types, compile_kernel
from irsan.runtime.kernels.scalars import Matrix, Vector, i32, i64, u8, u64
from irsan.traces.kernels.columns import new_table

Table = TypeVar("Table")
Function = TypeVar("Function", bound=Callable[..., Any])

_typeof: Any = numba.typeof

_TYPES: dict[Any, Any] = {
    None: types.void,
    bool: types.boolean,
    u8: types.uint8,
    u64: types.uint64,
    i32: types.int32,
    i64: types.int64,
}
_DIMENSIONS: dict[Any, int] = {Vector: 1, Matrix: 2}


def table(kind: type[Table]) -> type[Table]:
    """Let a NamedTuple of columns be the type of an argument."""
    _TYPES[kind] = _typeof(new_table(kind))
    return kind


@overload
def kernel(function: Function, /) -> Function: ...


@overload
def kernel(*, inlined: bool = ..., callable_too: bool = ...) -> Callable[[Function], Function]: ...


def kernel(function: Any = None, /, *, inlined: bool = False, callable_too: bool = False) -> Any:
    """Compile a function as a kernel of the types in its annotations.

    `inlined`: a step of other kernels, copied into them; it can be called from Python only if it is
    `callable_too`.
    Raises InternalError for an unknown type and numba's errors for a body that does not compile.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        options = {
            "error_model": "numpy",
            "boundscheck": False,
            "no_cpython_wrapper": inlined and not callable_too,
            "no_cfunc_wrapper": True,
            "forceinline": inlined,
            # Nothing here allocates, so arrays need no reference counts; a record of a dozen
            # arrays that is handed on would be counted up and down a dozen times.
            "_nrt": False,
        }
        result, *arguments = map(_type, annotated_types(function))
        return compile_kernel(function, result(*arguments), options)

    return decorate if function is None else decorate(function)


def _type(kind: Any) -> Any:
    """numba's type for an annotation."""
    n_dimensions = _DIMENSIONS.get(get_origin(kind))
    if n_dimensions is not None:
        [item] = get_args(kind)
        return types.Array(_type(item), n_dimensions, "C")
    if kind not in _TYPES:
        raise InternalError(f"no argument or result of a kernel is a {kind}")
    return _TYPES[kind]
