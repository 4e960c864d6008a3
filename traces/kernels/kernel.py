"""The decorator of this room's kernels: explicit signature, compiled at import, cached on disk.

A signature is text such as ``"i64(clocks,i32[:],i64)"``.  Records of arrays (NamedTuples) take part
under a name once `register_record` has seen one of them.  The cache folder is the one rule of the
project: named by the sources of everything a module imports.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from numba import types

from irsan.runtime.kernels.kernel_cache import kernel_folder

_config: Any = numba.config
_njit: Any = numba.njit
_typeof: Any = numba.typeof

_TYPES: dict[str, Any] = {
    "void": types.void,
    "b1": types.boolean,
    "u8": types.uint8,
    "u64": types.uint64,
    "i32": types.int32,
    "i64": types.int64,
}
_full_disks: list[OSError] = []  # why this process writes no more to numba's cache


def register_record(name: str, sample: Any) -> None:
    """Let signatures name the numba type of a NamedTuple of arrays; `sample` is one of them."""
    _TYPES[name] = _typeof(sample)


def kernel(signature: str, *, inlined: bool = False) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function as a kernel of this signature.

    `inlined`: a step of other kernels only; it gets no wrapper for Python.
    Raises KeyError for an unknown type and numba's errors for a body that does not compile.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        options = {
            "error_model": "numpy",
            "boundscheck": False,
            "no_cpython_wrapper": inlined,
            "no_cfunc_wrapper": True,
            "forceinline": inlined,
            # Nothing here allocates, so arrays need no reference counts; a record of a dozen
            # arrays that is handed on would be counted up and down a dozen times.
            "_nrt": False,
        }
        _config.CACHE_DIR = str(kernel_folder(function.__module__))
        if not _full_disks:
            try:
                return _njit([_parse(signature)], cache=True, **options)(function)
            except OSError as error:  # slower from now on, and nothing else
                _full_disks.append(error)
        return _njit([_parse(signature)], **options)(function)

    return decorate


def _parse(signature: str) -> Any:
    result, _, rest = signature.partition("(")
    words = [word.strip() for word in rest.rstrip(") ").split(",") if word.strip()]
    return _type(result.strip())(*[_type(word) for word in words])


def _type(word: str) -> Any:
    name, _, brackets = word.partition("[")
    dimensions = brackets.count(":")
    return types.Array(_TYPES[name], dimensions, "C") if dimensions else _TYPES[name]
