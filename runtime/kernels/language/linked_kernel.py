"""A kernel: a name, a type and LLVM text, made when it is first asked for.

    the runtime's build    links the texts of all kernels with the glue
    another kernel         calls a symbol, and leaves the rest to the linker
    Python (tests)         calls machine code of the same text (`kernel_code`)

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

from irsan.runtime.kernels.language.kernel_cache import IS_ORDERED, kernel_folder
from irsan.runtime.kernels.language.kernel_code import Entry, entry_of
from irsan.runtime.kernels.language.kernel_text import kernel_text
from irsan.runtime.kernels.language.value_calls import ValueCallConv
from irsan.sealed import read_sealed, write_sealed

_Template: Any = ConcreteTemplate
_insert_function: Any = cgutils.get_or_insert_function
_Function: Any = types.Function
_OWN = "irsan."  # modules whose sources the cache knows


class LinkedKernel:
    """What stands for a kernel where others name it."""

    def __init__(
        self,
        function: Callable[..., Any],
        signature: Any,
        symbol: str,
        called_by: str,
        *,
        inlined: bool,
        callee: Callable[[str], LinkedKernel | None],
    ) -> None:
        """A kernel that a function is.

        symbol: what it is defined as;  called_by: what other kernels call;
        callee: the kernel that is called by a symbol.
        """
        self.py_func, self.__name__, self.__doc__ = function, function.__name__, function.__doc__
        self.signature, self.symbol, self.called_by = signature, symbol, called_by
        self.callee = callee
        self._inlined = inlined
        self._text = ""
        self._entry: Entry | None = None
        self._numba_type_ = _type_of_call(self)

    @property
    def text(self) -> str:
        """Its definition, and declarations of what it calls; compiled, or read from the cache.

        numba's errors for a body that does not compile.
        """
        if not self._text:
            self._text = self._stored_text() or self._compiled_text()
        return self._text

    @property
    def entry(self) -> Entry:
        """Its machine code in this process."""
        if self._entry is None:
            self._entry = entry_of(self)
        return self._entry

    def __call__(self, *arguments: Any) -> Any:
        """Run it: numbers are cut to the widths of its types, records are passed by address."""
        return self.entry.call(arguments)

    def _stored_text(self) -> str:
        for path in self._paths():
            if (stored := read_sealed(path)) is not None:
                return stored.decode()
        return ""

    def _compiled_text(self) -> str:
        text = kernel_text(self.py_func, self.signature, self.symbol, self._inlined)
        for path in self._paths()[-1:]:
            with contextlib.suppress(OSError):  # no room: the next build is as slow as this one
                write_sealed(path, text.encode())
        return text

    def _paths(self) -> list[Path]:
        """Where its text may lie, last where this process keeps it.

        None for a function outside irsan: nothing is known of what it is made from.
        """
        if not self.py_func.__module__.startswith(_OWN):
            return []
        signature, code = self.signature, self.py_func.__code__
        kinds = [str(kind.name) for kind in (signature.return_type, *signature.args)]
        own = repr((kinds, code.co_code, code.co_consts, code.co_names))
        digest = hashlib.sha256(own.encode()).hexdigest()[:20]
        path = kernel_folder(self.py_func.__module__) / f"{self.__name__}-{digest}.ll"
        return [path] if IS_ORDERED else [path, path.with_suffix(".unordered.ll")]


def _type_of_call(made: LinkedKernel) -> Any:
    """numba's type of the kernel: calling it has one signature, and calls one symbol."""
    signature = made.signature

    class Call(_Template):  # type: ignore[misc]
        key = made
        cases = (signature,)

    def lower(context: Any, builder: Any, _called: Any, values: Any) -> Any:
        convention = ValueCallConv(context)
        if not isinstance(context.call_conv, ValueCallConv):
            _ = made.entry  # code that is run in this process is linked to it
        kind = convention.get_function_type(signature.return_type, signature.args)
        callee = _insert_function(builder.module, kind, made.called_by)
        return convention.call_kernel(builder, callee, signature, values)

    definitions: Any = cpu_target.target_context._defns
    definitions[made].append(lower, signature.args)
    return _Function(Call)
