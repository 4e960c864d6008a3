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
    "blocking", "memory_operations", "strings_search", "strings_copy", "strings_compare", "numbers",
    "wide_strings", "sorting", "input_output", "formatted",
)  # fmt: skip
_C_TYPES: dict[str, Any] = {
    "void": None,
    "ptr": ctypes.c_void_p,
    "...": ctypes.c_void_p,
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

    def call(self, name: str, *arguments: int) -> Any:
        """Call an interceptor; what it left in ctx.action stays there."""
        export = self.exports[name]
        kernel = REGISTRY[export.kernel]
        n_taken = len(kernel.argument_types) - 1
        self.ctx["action"] = actions.NONE
        if export.then_real:
            may_go = kernel.dispatcher(self.ctx, *arguments[:n_taken])
            return self.real(export, arguments) if may_go else 0
        if not export.real_first:
            return kernel.dispatcher(self.ctx, *arguments)
        result = self.real(export, arguments)
        shown: tuple[int, ...] = ()
        if export.result not in ("void", "f32", "f64", "f80"):
            shown = (result & _WORD if kernel.argument_types[1] == "u64" else result,)
        kernel.dispatcher(self.ctx, *shown, *arguments[: n_taken - len(shown)])
        return result

    def real(self, export: Export, arguments: tuple[int, ...]) -> Any:
        """Call the host's function with the C types of the prototype."""
        function = getattr(ctypes.CDLL(None), export.real or export.name)
        function.restype = _C_TYPES[export.result]
        function.argtypes = [_C_TYPES[kind] for kind in export.arguments]
        result = function(*arguments)
        return 0 if result is None else result
