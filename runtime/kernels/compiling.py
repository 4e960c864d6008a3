"""How every kernel of the project is compiled: ahead of its use, kept on disk while that can be.

The kernels of the runtime and those of the traces have decorators of their own, because their types
differ; what they have in common is here.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numba
from numba.core.typeinfer import register_dispatcher

from irsan.errors import InternalError
from irsan.runtime.kernels.kernel_files import KernelFiles
from irsan.runtime.kernels.typing_rules import literals_like_neighbours

_njit: Any = numba.njit
_full_disks: list[OSError] = []  # why this process keeps no more kernels


def compile_kernel(function: Callable[..., Any], types: Any, options: Mapping[str, Any]) -> Any:
    """numba's dispatcher of a function for one signature, kept on disk until that is full.

    Raises numba's errors for a body that does not compile.
    """
    if not _full_disks:
        try:
            return _compiled(function, types, options, KernelFiles(function))
        except OSError as error:  # slower from now on, and nothing else
            _full_disks.append(error)
    return _compiled(function, types, options, None)


def _compiled(
    function: Callable[..., Any], types: Any, options: Mapping[str, Any], files: KernelFiles | None
) -> Any:
    """What `njit` does, with our files for numba's; registered, as a kernel may call itself."""
    dispatcher = _njit(**options)(function)
    if files is not None:
        dispatcher._cache = files
    with literals_like_neighbours(), register_dispatcher(dispatcher):
        dispatcher.compile(types)
    dispatcher.disable_compile()
    return dispatcher


def annotated_types(function: Callable[..., Any]) -> list[Any]:
    """The annotations of a kernel's result and of its arguments, in this order.

    Raises InternalError where one is missing or names what is not there.
    """
    names = ["return", *inspect.signature(function).parameters]
    try:
        found = inspect.get_annotations(function, eval_str=True)
        return [found[name] for name in names]
    except (KeyError, NameError, AttributeError) as error:
        raise InternalError(f"kernel {function.__name__} has no annotation: {error}") from error


def signature_words(signature: str) -> tuple[str, list[str]]:
    """`"u8(ctx,u64)"` as the word of the result and those of the arguments."""
    result, _, rest = signature.partition("(")
    words = [word.strip() for word in rest.rstrip(") ").split(",") if word.strip()]
    return result.strip(), words
