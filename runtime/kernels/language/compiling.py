"""Kernels that numba compiles for this process, as those of the traces; kept on disk.

    decorated              a DeclaredKernel: the signature is known, nothing is compiled or read
    called from Python,    `ready`: its code is read from the cache, else compiled and kept; from
    or by another kernel   then on no other signature is accepted

What the kernels of the runtime have in common with them is the reading of annotations.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numba
from numba.core.caching import NullCache as _NullCache
from numba.core.registry import CPUDispatcher

from irsan.errors import InternalError
from irsan.runtime.kernels.language.kernel_files import KernelFiles
from irsan.runtime.kernels.language.typing_rules import literals_like_neighbours

_njit: Any = numba.njit
_Dispatcher: Any = CPUDispatcher
NullCache: Any = _NullCache
_full_disks: list[OSError] = []  # why this process keeps no more kernels


class DeclaredKernel(_Dispatcher):  # type: ignore[misc]
    """numba's dispatcher of a function that has one signature and is compiled at its first use.

    Leans on private parts of numba: what its dispatcher asks when it has no code for a call.
    """

    declared: Any  # the signature

    def ready(self) -> Any:
        """numba's result of compiling the kernel, which is done now if it has not been.

        Raises numba's errors for a body that does not compile.
        """
        if not self.overloads:
            self._compile_or_read()
            self.disable_compile()
        [made] = self.overloads.values()
        return made

    def _compile_or_read(self) -> None:
        if not _full_disks:
            self._cache = KernelFiles(self.py_func)
            try:
                self._compile_alone()
                return
            except OSError as error:  # slower from now on, and nothing else
                _full_disks.append(error)
        self._cache = NullCache()
        self._compile_alone()

    def _compile_alone(self) -> None:
        with literals_like_neighbours():
            self.compile(self.declared)

    def _compile_for_args(self, *_arguments: Any, **_words: Any) -> Any:
        """What numba's dispatcher asks for at a call that it has no code for: the first one."""
        return self.ready().entry_point

    def get_call_template(self, arguments: Any, words: Any) -> Any:
        """What numba asks for where another function calls this one."""
        self.ready()
        return super().get_call_template(arguments, words)


def compile_kernel(
    function: Callable[..., Any],
    types: Any,
    options: Mapping[str, Any],
) -> DeclaredKernel:
    """A kernel of one signature, compiled at its first use and kept on disk until that is full."""
    dispatcher = _njit(**options)(function)
    dispatcher.__class__ = DeclaredKernel
    dispatcher.declared = types
    made: DeclaredKernel = dispatcher
    return made


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
