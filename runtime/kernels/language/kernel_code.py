"""Machine code of kernels in this process, for Python to call: made from their LLVM texts.

    entry_of(kernel)    its text and those of all that it leads to, each an object, kept on disk
                        beside the others (`kernel_cache`); linked here by LLVM

So a test runs the text that the runtime is linked from, and nothing is compiled by numba a second
time.  Code of one text is quick to make (5 ms): LLVM inlines nothing.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import llvmlite.binding as llvm
import numpy as np
from llvmlite import __version__ as llvmlite_version

from irsan.cachedir import cache_root
from irsan.sealed import read_sealed, write_sealed

if TYPE_CHECKING:
    from irsan.runtime.kernels.language.linked_kernel import LinkedKernel

_DECLARED: Final = re.compile(r'^declare [^\n]*?@"([^"\n]+)"', re.MULTILINE)
_OPTIMISED: Final = 1  # LLVM's level
_C_TYPES: Final[dict[str, Any]] = {
    "none": None,
    "bool": ctypes.c_uint8,
    "uint8": ctypes.c_uint8,
    "uint16": ctypes.c_uint16,
    "uint32": ctypes.c_uint32,
    "uint64": ctypes.c_uint64,
    "int32": ctypes.c_int32,
    "int64": ctypes.c_int64,
    "float64": ctypes.c_double,
}


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a kernel begins, and how C calls it."""

    function: Callable[..., Any]
    n_arguments: int
    is_bool: bool

    def call(self, arguments: tuple[Any, ...]) -> Any:
        """The result of a call as Python's number, None of a kernel without one."""
        if len(arguments) != self.n_arguments:
            raise TypeError(f"a kernel of {self.n_arguments} arguments got {len(arguments)}")
        plain = [one if type(one) is int else _plain(one) for one in arguments]
        result = self.function(*plain)
        return result != 0 if self.is_bool else result


def _plain(argument: Any) -> Any:
    """What ctypes takes: the address of a record, the number that numpy's is."""
    if isinstance(argument, np.void):
        return np.frombuffer(argument, np.uint8).ctypes.data
    return float(argument) if isinstance(argument, (float, np.floating)) else int(argument)


def entry_of(kernel: LinkedKernel) -> Entry:
    """The code of a kernel, which is linked now if it has not been, with all that it leads to."""
    signature = kernel.signature
    result, *kinds = [_c_type(kind) for kind in (signature.return_type, *signature.args)]
    made = ctypes.PYFUNCTYPE(result, *kinds)(_code().address(kernel))
    return Entry(made, len(kinds), str(signature.return_type) == "bool")


def _c_type(kind: Any) -> Any:
    return _C_TYPES.get(str(kind), ctypes.c_void_p)  # a record is passed by its address


@functools.cache
def _code() -> _Code:
    """Code belongs to the process, so this does, too."""
    return _Code()


class _Code:
    """All that is linked, by kernel; symbols mean what was linked under them last."""

    def __init__(self) -> None:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        llvm.initialize_native_asmparser()
        self._target = llvm.Target.from_default_triple()
        self._machine = self._new_machine()
        self._engines: list[Any] = []  # who own the code
        self._addresses: dict[LinkedKernel, int] = {}

    def address(self, kernel: LinkedKernel) -> int:
        """Where a kernel begins."""
        if kernel not in self._addresses:
            self._link(list(self._missing(kernel)))
        return self._addresses[kernel]

    def _missing(self, kernel: LinkedKernel) -> Iterator[LinkedKernel]:
        """The kernel and what it leads to, as far as it is not linked."""
        known, waiting = set(self._addresses), [kernel]
        while waiting:
            one = waiting.pop()
            if one in known:
                continue
            known.add(one)
            yield one
            called = (one.callee(symbol) for symbol in _DECLARED.findall(one.text))
            waiting += [callee for callee in called if callee is not None]

    def _link(self, kernels: list[LinkedKernel]) -> None:
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), self._new_machine())
        self._engines.append(engine)
        for one in kernels:
            engine.add_object_file(llvm.ObjectFileRef.from_data(self._object(one)))
        engine.finalize_object()
        for one in kernels:
            address = engine.get_function_address(one.symbol)
            self._addresses[one] = address
            for symbol in (one.symbol, one.called_by):
                llvm.add_symbol(symbol, address)

    def _object(self, kernel: LinkedKernel) -> bytes:
        """A relocatable object that defines the kernel under both its symbols."""
        text = kernel.text
        if kernel.called_by != kernel.symbol:
            text += f'@"{kernel.called_by}" = alias void (), ptr @"{kernel.symbol}"\n'
        form = "\0".join((llvmlite_version, llvm.get_host_cpu_name(), str(_OPTIMISED), text))
        digest = hashlib.sha256(form.encode()).hexdigest()[:40]
        path = cache_root() / "kernel-code" / digest
        if (stored := read_sealed(path)) is not None:
            return stored
        made = self._compiled(text)
        with contextlib.suppress(OSError):  # no room: the next process makes it, too
            write_sealed(path, made)
        return made

    def _compiled(self, text: str) -> bytes:
        module = llvm.parse_assembly(text)
        options = llvm.PipelineTuningOptions(speed_level=_OPTIMISED)
        builder = llvm.create_pass_builder(self._machine, options)
        builder.getModulePassManager().run(module, builder)
        raw: bytes = self._machine.emit_object(module)
        return raw

    def _new_machine(self) -> Any:
        return self._target.create_target_machine(opt=_OPTIMISED, jit=True, codemodel="jitdefault")
