"""A kernel in a process that builds the runtime: a name, a type and LLVM text, nothing to call.

The text is kept in the folder that names all the sources of the kernel's module (`kernel_cache`),
so a build that was interrupted goes on behind the last kernel, and a change compiles what depends
on it.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.registry import cpu_target
from numba.core.typing.templates import ConcreteTemplate

from irsan.errors import InternalError
from irsan.runtime.kernels.kernel_cache import kernel_folder
from irsan.runtime.kernels.kernel_text import kernel_text
from irsan.sealed import read_sealed, write_sealed

_Template: Any = ConcreteTemplate
_insert_function: Any = cgutils.get_or_insert_function
_Function: Any = types.Function


class LinkedKernel:
    """What stands for a kernel where others name it."""

    def __init__(self, function: Callable[..., Any], signature: Any, called_by: str) -> None:
        """called_by: the symbol under which other kernels call it."""
        self.py_func = function
        self.text = ""
        self._numba_type_ = _type_of_call(self, signature, called_by)

    def __call__(self, *_arguments: Any) -> Any:
        """Always an error of irsan."""
        raise InternalError(f"kernel {self.py_func.__name__} is only linked in this process")


def linked_kernel(
    function: Callable[..., Any], signature: Any, symbol: str, called_by: str, inlined: bool
) -> LinkedKernel:
    """The kernel that a function is, compiled or read from the cache.

    symbol: what it is defined as.  numba's errors for a body that does not compile.
    """
    made = LinkedKernel(function, signature, called_by)
    function.__globals__[function.__name__] = made  # a kernel may call itself
    path = _path(function, signature)
    stored = read_sealed(path)
    if stored is not None:
        made.text = stored.decode()
        return made
    made.text = kernel_text(function, signature, symbol, inlined)
    with contextlib.suppress(OSError):  # no room: the next build is as slow as this one
        write_sealed(path, made.text.encode())
    return made


def _path(function: Callable[..., Any], signature: Any) -> Path:
    """By the kernel, too: the folder of a module outside irsan says nothing of its sources."""
    kinds = [str(kind.name) for kind in (signature.return_type, *signature.args)]
    code = function.__code__
    own = repr((kinds, code.co_code, code.co_consts, code.co_names))
    digest = hashlib.sha256(own.encode()).hexdigest()[:20]
    return kernel_folder(function.__module__) / f"{function.__name__}-{digest}.ll"


def _type_of_call(made: LinkedKernel, signature: Any, symbol: str) -> Any:
    """numba's type of the kernel: calling it has one signature, and calls one symbol."""

    class Call(_Template):  # type: ignore[misc]
        key = made
        cases = (signature,)

    def lower(context: Any, builder: Any, _called: Any, values: Any) -> Any:
        kind = context.call_conv.get_function_type(signature.return_type, signature.args)
        callee = _insert_function(builder.module, kind, symbol)
        return context.call_conv.call_kernel(builder, callee, signature, values)

    definitions: Any = cpu_target.target_context._defns
    definitions[made].append(lower, signature.args)
    return _Function(Call)
