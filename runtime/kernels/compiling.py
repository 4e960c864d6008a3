"""How every kernel of the project is compiled: ahead of its use, kept on disk while that can be.

The kernels of the runtime and those of the traces have decorators of their own, because their types
differ; what they have in common is here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numba

from irsan.runtime.kernels.kernel_cache import kernel_folder

_config: Any = numba.config
_njit: Any = numba.njit
_full_disks: list[OSError] = []  # why this process writes no more to numba's cache


def compile_kernel(function: Callable[..., Any], types: Any, options: Mapping[str, Any]) -> Any:
    """numba's dispatcher of a function for one signature, kept on disk until that is full.

    Raises numba's errors for a body that does not compile.
    """
    _config.CACHE_DIR = str(kernel_folder(function.__module__))
    if not _full_disks:
        try:
            return _njit([types], cache=True, **options)(function)
        except OSError as error:  # slower from now on, and nothing else
            _full_disks.append(error)
    return _njit([types], **options)(function)


def signature_words(signature: str) -> tuple[str, list[str]]:
    """`"u8(ctx,u64)"` as the word of the result and those of the arguments."""
    result, _, rest = signature.partition("(")
    words = [word.strip() for word in rest.rstrip(") ").split(",") if word.strip()]
    return result.strip(), words
