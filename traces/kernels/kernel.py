"""The decorators of this room: kernels compiled at import and cached on disk, tables they work on.

A signature is text such as ``"i64(clocks,i32[:],i64)"``.  Tables (`columns`) take part under the
name that `table` gives them.  The cache folder is the one rule of the project: named by the sources
of everything a module imports.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba
from numba import types

from irsan.runtime.kernels.compiling import compile_kernel, signature_words
from irsan.traces.kernels.columns import new_table

Table = TypeVar("Table")

_typeof: Any = numba.typeof

_TYPES: dict[str, Any] = {
    "void": types.void,
    "b1": types.boolean,
    "u8": types.uint8,
    "u64": types.uint64,
    "i32": types.int32,
    "i64": types.int64,
}


def table(name: str) -> Callable[[type[Table]], type[Table]]:
    """Let signatures name a NamedTuple of columns."""

    def decorate(kind: type[Table]) -> type[Table]:
        _TYPES[name] = _typeof(new_table(kind))
        return kind

    return decorate


def kernel(
    signature: str, *, inlined: bool = False, callable_too: bool = False
) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function as a kernel of this signature.

    `inlined`: a step of other kernels, copied into them; it can be called from Python only if it is
    `callable_too`.
    Raises KeyError for an unknown type and numba's errors for a body that does not compile.
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
        return compile_kernel(function, _parse(signature), options)

    return decorate


def _parse(signature: str) -> Any:
    result, words = signature_words(signature)
    return _type(result)(*[_type(word) for word in words])


def _type(word: str) -> Any:
    name, _, brackets = word.partition("[")
    dimensions = brackets.count(":")
    return types.Array(_TYPES[name], dimensions, "C") if dimensions else _TYPES[name]
