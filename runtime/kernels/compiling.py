"""How every kernel of the project is compiled: ahead of its use, kept on disk while that can be.

The kernels of the runtime and those of the traces have decorators of their own, because their types
differ; what they have in common is here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numba
from numba.core.typeinfer import register_dispatcher

from irsan.runtime.kernels.kernel_files import KernelFiles

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
    with register_dispatcher(dispatcher):
        dispatcher.compile(types)
    dispatcher.disable_compile()
    return dispatcher


def signature_words(signature: str) -> tuple[str, list[str]]:
    """`"u8(ctx,u64)"` as the word of the result and those of the arguments."""
    result, _, rest = signature.partition("(")
    words = [word.strip() for word in rest.rstrip(") ").split(",") if word.strip()]
    return result.strip(), words
