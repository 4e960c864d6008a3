"""Glue that calls functions of the program around comparisons, searches and waits.

    value = what the interceptor made of it
    hook = word of ctx.interface; hook != 0 ?  ->  hook(caller, arguments of the function, value)
    return value

    __tsan::OnPotentiallyBlockingRegionBegin()      around __cxa_guard_acquire and what pthread_once
    __tsan::OnPotentiallyBlockingRegionEnd()        waits for, whether they wait or not

One load and a branch for who defines no hook.  The hook is the program's own code and runs where
the call stands, with no routine in progress; hooks may call the functions they watch.

Source: sanitizer/common_interface_defs.h for the hooks and their arguments; ThreadSanitizer's
tsan_interceptors_posix.cpp for the two around waits.
"""

from __future__ import annotations

from irsan.engine.glue.text import LIKELY, LLVM_TYPES, context_field
from irsan.interceptors.registry import Export
from irsan.runtime.layout.hook_words import HOOKED

_WATCHED = {**{name: name for name in HOOKED}, "bcmp": "memcmp"}

_WAITS = "__cxa_guard_acquire"

RETURN_ADDRESS = "declare ptr @llvm.returnaddress(i32)"
WAIT_BEGIN = f"call void @__irsan_tell({context_field('interface.wait_begins')})"
WAIT_END = f"call void @__irsan_tell({context_field('interface.wait_ends')})"


def begun_lines(export: Export) -> list[str]:
    """Lines at the beginning of an export's body: the program learns that it may wait."""
    return [WAIT_BEGIN] if export.name == _WAITS else []


def told_lines(export: Export, value: str) -> list[str]:
    """Lines that end a block: the hook of an export is called if there is one, in front of `ret`.

    value: the function's result, of its C type; none for an export that cannot be watched.
    """
    if export.name == _WAITS:
        return [WAIT_END]
    if export.name not in _WATCHED:
        return []
    number = HOOKED.index(_WATCHED[export.name])
    operands = [f"{LLVM_TYPES[kind]} %a{i}" for i, kind in enumerate(export.arguments)]
    operands.append(f"{LLVM_TYPES[export.result]} {value}")
    return [
        f"%hook = load ptr, {context_field('interface.weak_hooks', number)}",
        "%unwatched = icmp eq ptr %hook, null",
        f"br i1 %unwatched, label %told, label %tell, !prof {LIKELY}",
        "tell:",
        "%caller = call ptr @llvm.returnaddress(i32 0)",
        f"call void %hook(ptr %caller, {', '.join(operands)})",
        "br label %told",
        "told:",
    ]
