"""Glue that tells the program of comparisons and searches: __sanitizer_weak_hook_strcmp and kin.

    value = what the interceptor made of it
    hook = word of ctx.interface; hook != 0 ?  ->  hook(caller, arguments of the function, value)
    return value

One load and a branch for who defines no hook.  The hook is the program's own code and runs where
the call stands, with no routine in progress; hooks may call the functions they watch.

Source: sanitizer/common_interface_defs.h for the hooks and their arguments.
"""

from __future__ import annotations

from irsan.engine.jit.glue_text import LIKELY, context_field
from irsan.engine.jit.kernel_link import LLVM_TYPES
from irsan.interceptors.registry import Export
from irsan.runtime.hook_words import FIRST_HOOK, HOOKED

_WATCHED = {**{name: name for name in HOOKED}, "bcmp": "memcmp"}

RETURN_ADDRESS = "declare ptr @llvm.returnaddress(i32)"


def told_lines(export: Export, value: str) -> list[str]:
    """Lines that end a block: the hook of an export is called if there is one, in front of `ret`.

    value: the function's result, of its C type; none for an export that nobody can watch.
    """
    if export.name not in _WATCHED:
        return []
    number = HOOKED.index(_WATCHED[export.name])
    operands = [f"{LLVM_TYPES[kind]} %a{i}" for i, kind in enumerate(export.arguments)]
    operands.append(f"{LLVM_TYPES[export.result]} {value}")
    return [
        f"%hook = load ptr, {context_field('interface', FIRST_HOOK + number)}",
        "%unwatched = icmp eq ptr %hook, null",
        f"br i1 %unwatched, label %told, label %tell, !prof {LIKELY}",
        "tell:",
        "%caller = call ptr @llvm.returnaddress(i32 0)",
        f"call void %hook(ptr %caller, {', '.join(operands)})",
        "br label %told",
        "told:",
    ]
