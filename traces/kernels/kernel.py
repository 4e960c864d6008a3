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
from irsan.runtime.kernels.compiling import annotated_types, compile_kernel, signature_words
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

_WORDS: dict[str, Any] = {
    "void": None, "b1": bool, "u8": u8, "u64": u64, "i32": i32, "i64": i64,
}  # fmt: skip


def table(name: Any) -> Any:
    """Let a NamedTuple of columns be the type of an argument."""
    if isinstance(name, type):
        _TYPES[name] = _typeof(new_table(name))
        return name

    def decorate(kind: type[Table]) -> type[Table]:
        _TYPES[kind] = _typeof(new_table(kind))
        _WORDS[name] = kind
        return kind

    return decorate


@overload
def kernel(function: Function, /) -> Function: ...


@overload
def kernel(*, inlined: bool = ..., callable_too: bool = ...) -> Callable[[Function], Function]: ...


@overload
def kernel(
    function: str, /, *, inlined: bool = ..., callable_too: bool = ...
) -> Callable[[Callable[..., Any]], Any]: ...


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
        if text:
            return compile_kernel(function, _parse(text), options)
        result, *arguments = map(_type, annotated_types(function))
        return compile_kernel(function, result(*arguments), options)

    text = function if isinstance(function, str) else ""
    return decorate if function is None or text else decorate(function)


def _parse(signature: str) -> Any:
    result, words = signature_words(signature)
    return _word(result)(*[_word(word) for word in words])


def _word(word: str) -> Any:
    name, _, brackets = word.partition("[")
    n = brackets.count(":")
    return types.Array(_TYPES[_WORDS[name]], n, "C") if n else _TYPES[_WORDS[name]]


def _type(kind: Any) -> Any:
    """numba's type for an annotation."""
    n_dimensions = _DIMENSIONS.get(get_origin(kind))
    if n_dimensions is not None:
        [item] = get_args(kind)
        return types.Array(_type(item), n_dimensions, "C")
    if kind not in _TYPES:
        raise InternalError(f"no argument or result of a kernel is a {kind}")
    return _TYPES[kind]
