"""Call interceptors as the glue does: the kernel and the host's function in the right order."""

from __future__ import annotations

import ctypes
import importlib
from dataclasses import dataclass
from typing import Any

from irsan.interceptors.registry import Export
from irsan.runtime.kernels import actions
from irsan.runtime.kernels.kernel import REGISTRY

FAMILIES = (
    "system.blocking", "memory.memcpy", "text.strings_search", "text.strings_copy",
    "text.strings_compare", "text.strtol", "text.wide_strings", "system.qsort",
    "files.read_write", "text.printf", "text.scanf", "system.stat_uname", "system.time",
    "network.sendmsg_readv", "text.wide_search", "text.multibyte", "system.getpwnam",
    "network.getaddrinfo", "files.stdio", "files.directories", "system.system_calls",
    "text.regex_iconv_locale", "memory.mmap", "files.descriptors", "files.file_times",
    "text.wprintf", "system.rlimits", "network.partial_writes", "network.send", "network.recv",
)  # fmt: skip
_C_TYPES: dict[str, Any] = {
    "void": None,
    "ptr": ctypes.c_void_p,
    "...": ctypes.c_void_p,
    "va": ctypes.c_void_p,
    "u64": ctypes.c_uint64,
    "i64": ctypes.c_int64,
    "i32": ctypes.c_int32,
    "f32": ctypes.c_float,
    "f64": ctypes.c_double,
    "f80": ctypes.c_longdouble,
}
_WORD = (1 << 64) - 1


def all_exports() -> dict[str, Export]:
    """Every export of the families above, by name."""
    modules = [importlib.import_module(f"irsan.interceptors.{name}") for name in FAMILIES]
    return {export.name: export for module in modules for export in module.EXPORTS}


@dataclass(frozen=True, slots=True)
class Library:
    """The intercepted C library of one guest."""

    ctx: Any
    exports: dict[str, Export]

    def call(self, name: str, *arguments: int, halts: bool = False) -> Any:
        """Call an interceptor; what it left in ctx.action stays there.

        halts: a finding ends the run, so the host's function is not called after it
        """
        export = self.exports[name]
        kernel = REGISTRY[export.kernel]
        self.ctx["action"] = actions.NONE
        if export.then_real:
            may_go = kernel.dispatcher(self.ctx, *_taken(export, arguments, 0))
            may_go = may_go and not (halts and self.ctx["action"] == actions.REPORT)
            return self.real(export, arguments) if may_go else 0
        if not export.real_first:
            return kernel.dispatcher(self.ctx, *arguments, *export.constants)
        if not self._asked_before(export, arguments):
            return 0
        result = self._moved(export, arguments)
        shown: tuple[int, ...] = ()
        if export.result not in ("void", "f32", "f64", "f80"):
            shown = (result & _WORD if kernel.argument_types[1] == "u64" else result,)
        kernel.dispatcher(self.ctx, *shown, *_taken(export, arguments, len(shown)))
        return result

    def _asked_before(self, export: Export, arguments: tuple[int, ...]) -> bool:
        """Whether the kernel that is asked first left no finding."""
        if export.before:
            kernel = REGISTRY[export.before]
            kernel.dispatcher(self.ctx, *arguments[: len(kernel.argument_types) - 1])
        return bool(self.ctx["action"] == actions.NONE)

    def _moved(self, export: Export, arguments: tuple[int, ...]) -> Any:
        """What the kernel that stands for the host's function gives, or that function."""
        if export.instead:
            return REGISTRY[export.instead].dispatcher(self.ctx, *arguments)
        return self.real(export, arguments)

    def real(self, export: Export, arguments: tuple[int, ...]) -> Any:
        """Call the host's function with the C types of the prototype."""
        name = export.name if export.real.startswith("irsan_") else export.real or export.name
        function = getattr(ctypes.CDLL(None), name)
        function.restype = _C_TYPES[export.result]
        function.argtypes = [_C_TYPES[kind] for kind in export.arguments]
        kinds = export.arguments
        result = function(*[_copied_va_list(a, k) for a, k in zip(arguments, kinds, strict=True)])
        return 0 if result is None else result


def _taken(export: Export, arguments: tuple[int, ...], n_shown: int) -> list[int]:
    """The arguments that the kernel takes after the result, and the constants."""
    n_taken = len(REGISTRY[export.kernel].argument_types) - 1 - n_shown - len(export.constants)
    numbers = export.takes or range(n_taken)
    return [*(arguments[number] for number in numbers), *export.constants]


def _copied_va_list(argument: int, kind: str) -> Any:
    """A va_list that may be used up; every other argument as it is."""
    if kind not in ("...", "va"):
        return argument
    return ctypes.create_string_buffer(ctypes.string_at(argument, 24), 24)
