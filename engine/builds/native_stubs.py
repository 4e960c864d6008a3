"""Stubs of the sanitizers' interface for native code, as LLVM text.

Native code of an object must link where irsan is not there: what it calls of the interface is a
copy, an atomic operation, or does nothing. Programs call checks themselves, too: abseil's mutexes
call `__tsan_read1`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from irsan.instrument.hooks import HOOKS, Hook

NAMES: Final = Path(__file__).with_name("interface_names.txt")
_COPIED: Final = ("asan", "tsan", "msan", "hwasan")
_COPIES: Final = {
    "memcpy": "ptr %a, ptr %b, i64 %n", "memmove": "ptr %a, ptr %b, i64 %n",
    "memset": "ptr %a, i32 %b, i64 %n",
}  # fmt: skip
_ALSO: Final = ("__tsan_init", "__asan_init", "__asan_handle_no_return", "__msan_init",
                "__lsan_do_leak_check", "__lsan_do_recoverable_leak_check",
                "__sanitizer_dtor_callback", "__sanitizer_dtor_callback_fields",
                "__sanitizer_dtor_callback_vptr")  # fmt: skip
_ENDING: Final = "_abort"  # of handlers of undefined behaviour that do not return
_INTERFACE: Final = ("__asan_", "__tsan_")
_ACTS: Final = {"exchange": "xchg"}  # of atomicrmw; the others are named as what they fetch
_SCOPES: Final = {"thread": "", "signal": 'syncscope("singlethread") '}


def stub_text() -> Iterator[str]:
    """LLVM text of all stubs."""
    yield from _copies()
    copies = {f"__{tool}_{function}" for tool in _COPIED for function in _COPIES}
    named = {name for name in HOOKS if name.startswith(_INTERFACE)} - copies
    atomic = {hook.name: hook for hook in HOOKS.values() if hook.group in ("atomic", "fence")}
    yield from map(_atomic, atomic.values())
    yield 'attributes #0 = { "target-features"="+cx16" }'
    yield "declare void @abort()"
    for name in sorted({*_interface_names(), *_ALSO, *named} - atomic.keys()):
        act = "  call void @abort()\n" if name.endswith(_ENDING) else ""
        yield f"define i64 @{name}() {{\n{act}  ret i64 0\n}}"


def _copies() -> Iterator[str]:
    for function, parameters in _COPIES.items():
        yield f"declare ptr @{function}({parameters})"
        for tool in _COPIED:
            yield f"define ptr @__{tool}_{function}({parameters}) {{"
            yield f"  %r = call ptr @{function}({parameters})\n  ret ptr %r\n}}"


def _interface_names() -> list[str]:
    """Functions of the sanitizers' interface that irsan has: asking the interceptors themselves
    would compile them first."""
    return NAMES.read_text().split()


def _atomic(hook: Hook) -> str:
    """The operation in the strongest order, whichever is asked for."""
    parameters = ", ".join(f"{word} %{at}" for at, word in enumerate(hook.arguments))
    body = "\n".join(f"  {line}" for line in _operation(hook))
    return f"define {hook.result} @{hook.name}({parameters}) #0 {{\n{body}\n}}"


def _operation(hook: Hook) -> list[str]:
    if hook.group == "fence":
        return [f"fence {_SCOPES[hook.operation]}seq_cst", "ret void"]
    value, align = f"i{8 * hook.size_bytes}", f"align {hook.size_bytes}"
    if hook.operation == "load":
        return [f"%r = load atomic {value}, ptr %0 seq_cst, {align}", f"ret {value} %r"]
    if hook.operation == "store":
        return [f"store atomic {value} %1, ptr %0 seq_cst, {align}", "ret void"]
    if hook.operation.startswith("compare_exchange"):
        return _compare_exchange(hook, value)
    act = _ACTS.get(hook.operation, hook.operation.removeprefix("fetch_"))
    return [f"%r = atomicrmw {act} ptr %0, {value} %1 seq_cst", f"ret {value} %r"]


def _compare_exchange(hook: Hook, value: str) -> list[str]:
    swap = f"{value} %e, {value} %2 seq_cst seq_cst"
    if hook.operation.endswith("_val"):
        return [f"%r = cmpxchg ptr %0, {swap.replace('%e', '%1')}",
                f"%old = extractvalue {{ {value}, i1 }} %r, 0", f"ret {value} %old"]  # fmt: skip
    return [
        f"%e = load {value}, ptr %1", f"%r = cmpxchg ptr %0, {swap}",
        f"%old = extractvalue {{ {value}, i1 }} %r, 0", f"store {value} %old, ptr %1",
        f"%same = extractvalue {{ {value}, i1 }} %r, 1", "%as.int = zext i1 %same to i32",
        "ret i32 %as.int",
    ]  # fmt: skip
