"""From numba kernels to one LLVM module with a clean ABI: `@k.<name>`.

numba's own calling convention is `i32 f(retptr, excinfo, args...)`.  Each kernel gets an internal,
always inlined wrapper `@k.<name>(args)` that passes the Context's constant address first and
returns the value.  numba hands out a linkable module even for a cached overload, through
`library._get_module_for_linking()`; that is private API and is guarded by a test.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from itertools import islice
from typing import Any

from irsan.errors import InternalError
from irsan.runtime import layout

LLVM_TYPES = {
    "void": "void",
    "ptr": "ptr",
    "b1": "i8",
    "u8": "i8",
    "u16": "i16",
    "u32": "i32",
    "u64": "i64",
    "i32": "i32",
    "i64": "i64",
    "f32": "float",
    "f64": "double",
    "f80": "x86_fp80",
    "...": "ptr",  # the address of a va_list made of the arguments
    "va": "ptr",  # the address of the caller's va_list
}
_GROUP = 32
CONTEXT_POINTER = f"inttoptr (i64 {layout.CONTEXT_ADDR} to ptr)"


def import_kernels() -> dict[str, Any]:
    """Import every kernel module and return the registry name -> Kernel."""
    import irsan.runtime.kernels as kernels
    from irsan.interceptors import registry
    from irsan.runtime.kernels.kernel import REGISTRY

    for found in pkgutil.walk_packages(kernels.__path__, f"{kernels.__name__}."):
        importlib.import_module(found.name)
    list(registry.kernel_exports())
    return REGISTRY


def link_kernels(kernels: dict[str, Any], into: Any) -> None:
    """Link the LLVM module of every kernel into the llvmlite module `into`.

    In groups first: each step of LLVM's linker walks all that is in its destination.
    """
    import llvmlite.binding as llvm

    together = _declaring(kernels.values(), into.triple)
    rest = iter(kernels.values())
    while group := list(islice(rest, _GROUP)):
        part = _declaring(group, into.triple)
        for kernel in group:
            library = _compiled(kernel).library
            part.link_in(llvm.parse_bitcode(library._get_module_for_linking().as_bitcode()))
        together.link_in(part)
    into.link_in(together)


def _declaring(kernels: Iterable[Any], triple: str) -> Any:
    """A module that declares kernels: what nobody asks for would not be linked."""
    import llvmlite.binding as llvm

    text = "\n".join(_declaration(kernel) for kernel in kernels)
    return llvm.parse_assembly(f'target triple = "{triple}"\n{text}\n')


def kernel_wrappers(kernels: dict[str, Any]) -> str:
    """LLVM text: a declaration and a `@k.` wrapper for every kernel; symbols of outlined ones."""
    parts = [_wrapper(kernel) for kernel in kernels.values()]
    parts += [_outlined(kernel) for kernel in kernels.values() if kernel.is_outlined]
    return "\n".join(parts)


def kernel_symbol(kernel: Any) -> str:
    """Name of a kernel's function in LLVM."""
    return str(_compiled(kernel).fndesc.llvm_func_name)


def _compiled(kernel: Any) -> Any:
    overloads = list(kernel.dispatcher.overloads.values())
    if len(overloads) != 1:
        raise InternalError(f"kernel {kernel.name} has {len(overloads)} signatures, not one")
    return overloads[0]


def _outlined(kernel: Any) -> str:
    """What other kernels call: the same function under a symbol that is not mangled."""
    from irsan.runtime.kernels.kernel import outlined_symbol

    kinds = [LLVM_TYPES.get(name, "ptr") for name in kernel.argument_types]
    parameters = ", ".join(f"{kind} %a{i}" for i, kind in enumerate(["ptr", "ptr", *kinds]))
    return (
        f"define linkonce_odr i32 @{outlined_symbol(kernel.name)}({parameters}) alwaysinline {{\n"
        f"%s = call i32 @{kernel_symbol(kernel)}({parameters})\nret i32 %s\n}}"
    )


def _declaration(kernel: Any) -> str:
    kinds = [LLVM_TYPES.get(name, "ptr") for name in kernel.argument_types]
    return f"declare i32 @{kernel_symbol(kernel)}({', '.join(['ptr', 'ptr', *kinds])})"


def _wrapper(kernel: Any) -> str:
    symbol = kernel_symbol(kernel)
    result = LLVM_TYPES[kernel.return_type]
    slot_type = "ptr" if result == "void" else result
    takes_context = bool(kernel.argument_types) and kernel.argument_types[0] == "ctx"
    rest = kernel.argument_types[1 if takes_context else 0 :]
    types = [LLVM_TYPES.get(name, "ptr") for name in rest]  # record views are pointers
    parameters = ", ".join(f"{kind} %a{i}" for i, kind in enumerate(types))
    passed = [f"ptr {CONTEXT_POINTER}"] if takes_context else []
    passed += [f"{kind} %a{i}" for i, kind in enumerate(types)]
    end = ["ret void"] if result == "void" else [f"%v = load {result}, ptr %r", f"ret {result} %v"]
    lines = [
        _declaration(kernel),
        f"define internal {result} @k.{kernel.name}({parameters}) alwaysinline nounwind {{",
        f"%r = alloca {slot_type}",
        f"call i32 @{symbol}({', '.join(['ptr %r', 'ptr null', *passed])})",
        *end,
        "}",
    ]
    return "\n".join(lines)
