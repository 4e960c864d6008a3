"""Glue for hooks: the fast check is inlined into the guest, the slow path is one outlined call.

    __tsan_read4(p):  race_read4_fast(p) ?  return  :  __irsan_slow_race_r4(p)
    __irsan_slow_*:   preserve_mostcc, noinline: the exact kernel, then __irsan_act() if it asks

`hot_hooks` are linked into programs as available_externally; `slow_paths` and `other_hooks` live in
the runtime object only.
"""

from __future__ import annotations

from irsan.engine.jit.glue_text import LIKELY, context_field
from irsan.instrument.hooks import HOOKS, Hook

_WRITE, _ATOMIC = 1, 2
_SAFEPOINT = "__irsan_safepoint"


def hot_hooks() -> str:
    """Definitions of all hooks worth inlining."""
    parts = [_access(hook) for hook in _scalar_accesses()]
    return "\n".join([*parts, _frames(), _engine_hooks()])


def slow_paths() -> str:
    """The outlined slow paths that `hot_hooks` call."""
    names = {_slow_name(hook): hook for hook in _scalar_accesses()}
    parts = [_slow_access(name, hook) for name, hook in sorted(names.items())]
    return "\n".join([*parts, _slow_safepoint()])


def slow_declarations() -> str:
    """Declarations of `slow_paths` for the module that is linked into programs."""
    names = sorted({_slow_name(hook) for hook in _scalar_accesses()})
    lines = [f"declare preserve_mostcc void @{name}(i64) cold" for name in names]
    return "\n".join([*lines, "declare preserve_mostcc void @__irsan_safepoint_slow() cold"])


def other_hooks() -> str:
    """Ranges, memory functions, ignores, starts and fences."""
    return "\n".join(text for hook in HOOKS.values() if (text := _other(hook)))


def hot_hook_names() -> list[str]:
    """Names that `hot_hooks` defines."""
    engine = [h.name for h in HOOKS.values() if h.group in ("engine", "frame")]
    return [*(h.name for h in _scalar_accesses()), *engine]


def hot_kernel_names() -> frozenset[str]:
    """Kernels that must disappear into the hot hooks."""
    frames = ("callstack_enter", "callstack_exit", "callstack_depth", "callstack_restore")
    return frozenset((*(_fast_kernel(hook) for hook in _scalar_accesses()), *frames))


def _scalar_accesses() -> list[Hook]:
    return [hook for hook in HOOKS.values() if hook.group in ("access", "vptr")]


def _slow_name(hook: Hook) -> str:
    tool = "asan" if hook.sanitizer == "address" else "race"
    return f"__irsan_slow_{tool}_{'w' if hook.is_write else 'r'}{hook.size_bytes}"


def _fast_kernel(hook: Hook) -> str:
    if hook.sanitizer == "address":
        return f"asan_ok{hook.size_bytes}"
    return f"race_{'write' if hook.is_write else 'read'}{hook.size_bytes}_fast"


def _access(hook: Hook) -> str:
    extra = ", ptr %unused" if len(hook.arguments) > 1 else ""
    return "\n".join(
        [
            f"define void @{hook.name}(ptr %p{extra}) alwaysinline nounwind {{",
            "%a = ptrtoint ptr %p to i64",
            f"%ok = call i8 @k.{_fast_kernel(hook)}(i64 %a)",
            "%fine = icmp ne i8 %ok, 0",
            f"br i1 %fine, label %done, label %slow, !prof {LIKELY}",
            "slow:",
            f"call preserve_mostcc void @{_slow_name(hook)}(i64 %a)",
            "br label %done",
            "done:",
            "ret void",
            "}",
        ]
    )


def _slow_access(name: str, hook: Hook) -> str:
    kernel = "asan_access_slow" if hook.sanitizer == "address" else "race_access_slow"
    flags = _WRITE if hook.is_write else 0
    return "\n".join(
        [
            f"define preserve_mostcc void @{name}(i64 %a) noinline cold nounwind {{",
            f"call void @k.{kernel}(i64 %a, i64 {hook.size_bytes}, i64 {flags})",
            "call void @__irsan_act_if_asked()",
            "ret void",
            "}",
        ]
    )


def _frames() -> str:
    entry = "call void @k.callstack_enter()\nret void\n}"
    leave = "call void @k.callstack_exit()\nret void\n}"
    return "\n".join(
        [
            f"define void @__tsan_func_entry(ptr %pc) alwaysinline nounwind {{\n{entry}",
            f"define void @__irsan_frame_entry() alwaysinline nounwind {{\n{entry}",
            f"define void @__tsan_func_exit() alwaysinline nounwind {{\n{leave}",
            f"define void @__irsan_frame_exit() alwaysinline nounwind {{\n{leave}",
        ]
    )


def _engine_hooks() -> str:
    return "\n".join(
        [
            "define void @__irsan_site(i32 %n) alwaysinline nounwind {",
            f"store i32 %n, {context_field('site')}",
            "ret void\n}",
            "define ptr @__irsan_tls_block() alwaysinline nounwind {",
            f"%block = load i64, {context_field('tls')}",
            "%p = inttoptr i64 %block to ptr",
            "ret ptr %p\n}",
            "define i64 @__irsan_frame_depth() alwaysinline nounwind {",
            "%d = call i64 @k.callstack_depth()",
            "ret i64 %d\n}",
            "define void @__irsan_frame_restore(i64 %d) alwaysinline nounwind {",
            "call void @k.callstack_restore(i64 %d)",
            "ret void\n}",
            f"define void @{_SAFEPOINT}() alwaysinline nounwind {{",
            f"%fuel = load i64, {context_field('fuel')}",
            "%left = sub i64 %fuel, 1",
            f"store i64 %left, {context_field('fuel')}",
            "%enough = icmp sgt i64 %left, 0",
            f"br i1 %enough, label %done, label %slow, !prof {LIKELY}",
            "slow:",
            "call preserve_mostcc void @__irsan_safepoint_slow()",
            "br label %done",
            "done:\nret void\n}",
        ]
    )


def _slow_safepoint() -> str:
    return "\n".join(
        [
            "define preserve_mostcc void @__irsan_safepoint_slow() noinline cold {",
            "call void @irsan_deliver_if_due()",
            "%other = call i8 @k.safepoint_slow()",
            "%switch = icmp ne i8 %other, 0",
            "br i1 %switch, label %yes, label %no",
            "yes:\ncall void @__irsan_reschedule()\nbr label %no",
            "no:\nret void\n}",
        ]
    )


def _other(hook: Hook) -> str:
    writer = {
        "range": _range,
        "memory": _memory,
        "ignore": _ignore,
        "fence": _fence,
        "start": _nothing,
        "no_return": _nothing,
    }.get(hook.group)
    return writer(hook) if writer else ""


def _range(hook: Hook) -> str:
    kernel = "asan_access_slow" if hook.sanitizer == "address" else "race_range"
    flags = _WRITE if hook.is_write else 0
    return "\n".join(
        [
            f"define void @{hook.name}(ptr %p, i64 %n) nounwind {{",
            "%a = ptrtoint ptr %p to i64",
            f"call void @k.{kernel}(i64 %a, i64 %n, i64 {flags})",
            "call void @__irsan_act_if_asked()",
            "ret void\n}",
        ]
    )


def _memory(hook: Hook) -> str:
    parameters = ", ".join(f"{kind} %a{i}" for i, kind in enumerate(hook.arguments))
    return "\n".join(
        [
            f"define ptr @{hook.name}({parameters}) nounwind {{",
            f"%r = call ptr @__interceptor_{hook.operation}({parameters})",
            "ret ptr %r\n}",
        ]
    )


def _ignore(hook: Hook) -> str:
    step = 1 if hook.operation == "begin" else -1
    field = context_field("ignore_depth")
    return "\n".join(
        [
            f"define void @{hook.name}() nounwind {{",
            f"%depth = load i64, {field}",
            f"%moved = add i64 %depth, {step}",
            f"store i64 %moved, {field}",
            "ret void\n}",
        ]
    )


def _fence(hook: Hook) -> str:
    body = "" if hook.operation == "signal" else "call void @k.race_fence(i64 %wide)\n"
    return (
        f"define void @{hook.name}(i32 %order) nounwind {{\n%wide = zext i32 %order to i64\n"
        f"{body}call void @k.sync_point()\nret void\n}}"
    )


def _nothing(hook: Hook) -> str:
    return f"define void @{hook.name}() nounwind {{\nret void\n}}"
