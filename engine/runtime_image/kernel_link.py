"""From the kernels' LLVM texts to one module with a clean ABI: `@k.<name>`.

A kernel is `value kernel.<name>(arguments...)`.  Each gets an internal, always inlined wrapper
`@k.<name>`, which passes the Context's constant address for a kernel that takes it.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterable, Iterator
from typing import Any

from irsan.engine.glue.text import LLVM_TYPES, llvm_type
from irsan.errors import InternalError
from irsan.runtime.layout import memory_map

CONTEXT_POINTER = f"inttoptr (i64 {memory_map.CONTEXT_ADDR} to ptr)"
_DECLARATION = re.compile(r'^declare [^\n]*?@"([^"\n]+)"[^\n]*\n', re.MULTILINE)
_METADATA = re.compile(r"!(\d+)\b")
_FIRST_METADATA = 1_000_000  # of kernels; the glue numbers its own from 0


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
    """Link every kernel into the llvmlite module `into`: what it leads to must be among them."""
    import llvmlite.binding as llvm

    head = f'target triple = "{into.triple}"\n'
    texts = [kernel.dispatcher.text for kernel in kernels.values()]
    # A function without a reference would not be linked.
    asking = llvm.parse_assembly(head + "\n".join(map(_declaration, kernels.values())))
    asking.link_in(llvm.parse_assembly(head + joined(texts)))
    into.link_in(asking)


def joined(texts: Iterable[str]) -> str:
    """One module's text of many: each symbol declared or defined once, metadata numbered anew.

    Parsing one text takes a second, linking as many modules took ten.
    """
    declared: dict[str, str] = {}
    bodies = []
    for text in _renumbered(texts):
        declared.update((found[1], found[0]) for found in _DECLARATION.finditer(text))
        bodies.append(_DECLARATION.sub("", text).replace("define ", "define linkonce_odr ", 1))
    defined = {body.split('@"', 1)[1].split('"', 1)[0] for body in bodies}
    if len(defined) < len(bodies):
        raise InternalError("two kernels have one symbol")
    return "".join([*bodies, *(line for name, line in declared.items() if name not in defined)])


def _renumbered(texts: Iterable[str]) -> Iterator[str]:
    """Texts that share no number of a piece of metadata."""
    first = _FIRST_METADATA
    for text in texts:
        if "\n!" not in text:
            yield text
            continue
        yield _METADATA.sub(lambda found, base=first: f"!{base + int(found[1])}", text)  # type: ignore[misc]
        first += text.count("\n!")


def kernel_wrappers(kernels: dict[str, Any]) -> str:
    """LLVM text: a declaration and a `@k.` wrapper for every kernel; symbols of outlined ones."""
    parts = [_wrapper(kernel) for kernel in kernels.values()]
    parts += [_outlined(kernel) for kernel in kernels.values() if kernel.is_outlined]
    return "\n".join(parts)


def _outlined(kernel: Any) -> str:
    """What other kernels call: the same function under a symbol of its own."""
    from irsan.runtime.kernels.kernel import outlined_symbol

    parameters = _parameters(_llvm_types(kernel.argument_types))
    result = LLVM_TYPES[kernel.return_type]
    return (
        f"define linkonce_odr {result} @{outlined_symbol(kernel.name)}({parameters}) "
        f"alwaysinline {{\n{_call(kernel, parameters)}\n}}"
    )


def _declaration(kernel: Any) -> str:
    from irsan.runtime.kernels.kernel import kernel_symbol

    kinds = ", ".join(_llvm_types(kernel.argument_types))
    return f"declare {LLVM_TYPES[kernel.return_type]} @{kernel_symbol(kernel.name)}({kinds})"


def _wrapper(kernel: Any) -> str:
    takes_context = bool(kernel.argument_types) and kernel.argument_types[0] == "ctx"
    parameters = _parameters(_llvm_types(kernel.argument_types[1 if takes_context else 0 :]))
    passed = [f"ptr {CONTEXT_POINTER}"] if takes_context else []
    arguments = ", ".join([*passed, parameters] if parameters else passed)
    return "\n".join([
        _declaration(kernel),
        f"define internal {LLVM_TYPES[kernel.return_type]} @k.{kernel.name}({parameters}) "
        "alwaysinline nounwind {",
        _call(kernel, arguments),
        "}",
    ])  # fmt: skip


def _call(kernel: Any, arguments: str) -> str:
    """Call a kernel and return what it returns."""
    from irsan.runtime.kernels.kernel import kernel_symbol

    result = LLVM_TYPES[kernel.return_type]
    call = f"call {result} @{kernel_symbol(kernel.name)}({arguments})"
    return f"{call}\nret void" if result == "void" else f"%v = {call}\nret {result} %v"


def _llvm_types(names: Iterable[str]) -> list[str]:
    return [llvm_type(name) for name in names]


def _parameters(kinds: list[str]) -> str:
    return ", ".join(f"{kind} %a{i}" for i, kind in enumerate(kinds))
