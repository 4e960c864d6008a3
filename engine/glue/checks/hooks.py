"""Glue for hooks: frames, sites and safepoints that are inlined, and the bodies of all others.

    __tsan_read4(p):  race_read4_fast(p) ?  return  :  __irsan_slow_thread_r4(p, ctx.site)

Programs have checks (checks.py) instead of access hooks; those are here for native code that
calls them.  `hot_hooks` are linked into programs as available_externally; `access_hooks` and
`other_hooks` live in the runtime object only.
"""

from __future__ import annotations

from irsan.engine.glue.checks.bounds import (
    bounds_declarations,
    inlined_bounds,
    inlined_bounds_names,
    outlined_bounds,
)
from irsan.engine.glue.checks.checks import (
    check_hooks,
    checks,
    kernels_of_checks,
    slow_declarations,
    slow_name,
    slow_paths,
)
from irsan.engine.glue.checks.objects import outlined_provenance
from irsan.engine.glue.checks.provenance import (
    inlined_provenance,
    inlined_provenance_names,
    provenance_declarations,
)
from irsan.engine.glue.checks.uninit import inlined_bits, inlined_bits_names, outlined_bits
from irsan.engine.glue.text import LIKELY, context_field
from irsan.instrument.hooks import HOOKS, Hook
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.external_sites import EXTERNAL_PC_BIT

_WRITE, _VPTR = 1, 32
_SAFEPOINT = "__irsan_safepoint"


def hot_hooks() -> str:
    """Definitions of all hooks worth inlining."""
    parts = [checks(), inlined_bounds(), inlined_bits(), inlined_provenance()]
    return "\n".join([*parts, _frames(), _engine_hooks()])


def access_hooks() -> str:
    """Access hooks under compiler-rt's names, and the slow paths of everything."""
    parts = [_access(hook) for hook in _scalar_accesses()]
    return "\n".join([*parts, slow_paths(), _external_entry(), _slow_safepoint()])


def hot_declarations() -> str:
    """Declarations of what `hot_hooks` call, for the module that is linked into programs."""
    safepoint = "declare preserve_mostcc void @__irsan_safepoint_slow() cold"
    entry = "declare void @__irsan_external_entry(i64) cold"
    ours = [slow_declarations(), bounds_declarations(), provenance_declarations()]
    return "\n".join([*ours, safepoint, entry])


def other_hooks() -> str:
    """Ranges, memory functions, ignores, starts and fences."""
    texts = [text for hook in HOOKS.values() if (text := _other(hook))]
    return "\n".join([*texts, outlined_bounds(), outlined_bits(), outlined_provenance()])


def hot_hook_names() -> list[str]:
    """Names that `hot_hooks` defines."""
    engine = [h.name for h in HOOKS.values() if h.group in ("engine", "frame")]
    return [
        *(hook.name for hook in check_hooks()),
        *inlined_bounds_names(),
        *inlined_bits_names(),
        *inlined_provenance_names(),
        *engine,
    ]


def hot_kernel_names() -> frozenset[str]:
    """Kernels that must disappear into the hot hooks."""
    frames = ("callstack_enter", "callstack_exit", "callstack_depth", "callstack_restore")
    return kernels_of_checks() | frozenset(frames)


def _scalar_accesses() -> list[Hook]:
    return [hook for hook in HOOKS.values() if hook.group in ("access", "vptr")]


def _fast_kernel(hook: Hook) -> str:
    if hook.sanitizer == "address":
        return f"asan_ok{hook.size_bytes}"
    return f"race_{'write' if hook.is_write else 'read'}{hook.size_bytes}_fast"


def _vtable_access(hook: Hook) -> str:
    """A virtual table pointer; a store of the same value is no access."""
    takes_new = len(hook.arguments) > 1
    flags = _VPTR | (_WRITE if hook.is_write else 0)
    same = [
        "%old = load ptr, ptr %p",
        "%same = icmp eq ptr %old, %new",
        "br i1 %same, label %done, label %ask",
    ]
    return "\n".join(
        [
            f"define void @{hook.name}(ptr %p{', ptr %new' if takes_new else ''}) nounwind {{",
            "%a = ptrtoint ptr %p to i64",
            *(same if takes_new else ["br label %ask"]),
            "ask:",
            f"%ok = call i8 @k.{_fast_kernel(hook)}(i64 %a)",
            "%fine = icmp ne i8 %ok, 0",
            f"br i1 %fine, label %done, label %slow, !prof {LIKELY}",
            "slow:",
            f"call void @k.race_access_slow(i64 %a, i64 {hook.size_bytes}, i64 {flags})",
            "call void @__irsan_act_if_asked()",
            "br label %done",
            "done:",
            "ret void",
            "}",
        ]
    )


def _access(hook: Hook) -> str:
    if hook.group == "vptr":
        return _vtable_access(hook)
    extra = ", ptr %unused" if len(hook.arguments) > 1 else ""
    slow = slow_name(hook.sanitizer, hook.is_write, hook.size_bytes)
    return "\n".join(
        [
            f"define void @{hook.name}(ptr %p{extra}) nounwind {{",
            "%a = ptrtoint ptr %p to i64",
            f"%ok = call i8 @k.{_fast_kernel(hook)}(i64 %a)",
            "%fine = icmp ne i8 %ok, 0",
            f"br i1 %fine, label %done, label %slow, !prof {LIKELY}",
            "slow:",
            f"%site = load i32, {context_field('site')}",
            f"call preserve_mostcc void @{slow}(i64 %a, i32 %site)",
            "br label %done",
            "done:",
            "ret void",
            "}",
        ]
    )


def _frames() -> str:
    entry = "call void @k.callstack_enter()\nret void\n}"
    leave = "call void @k.callstack_exit()\nret void\n}"
    return "\n".join(
        [
            "define void @__tsan_func_entry(ptr %pc) alwaysinline nounwind {",
            "%word = ptrtoint ptr %pc to i64",
            f"%external = and i64 %word, {1 << EXTERNAL_PC_BIT}",
            "%usual = icmp eq i64 %external, 0",
            f"br i1 %usual, label %enter, label %managed, !prof {LIKELY}",
            "managed:\ncall void @__irsan_external_entry(i64 %word)\nret void",
            f"enter:\n{entry}",
            f"define void @__irsan_frame_entry() alwaysinline nounwind {{\n{entry}",
            f"define void @__tsan_func_exit() alwaysinline nounwind {{\n{leave}",
            f"define void @__irsan_frame_exit() alwaysinline nounwind {{\n{leave}",
        ]
    )


def _external_entry() -> str:
    """A call in managed code, whose place only the program can name."""
    return (
        "define void @__irsan_external_entry(i64 %pc) noinline cold nounwind {\n"
        "call void @k.external_entry(i64 %pc)\nret void\n}"
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
            "define i64 @__irsan_shadow_bias() alwaysinline nounwind {",
            f"ret i64 {memory_map.ASAN_SHADOW - (memory_map.ARENA_LO >> 3)}",
            "}",
            "define i64 @__irsan_frame_depth() alwaysinline nounwind {",
            "%d = call i64 @k.callstack_depth()",
            "ret i64 %d\n}",
            "define void @__irsan_frame_restore(i64 %d) alwaysinline nounwind {",
            "call void @k.callstack_restore(i64 %d)",
            "ret void\n}",
            f"define void @{_SAFEPOINT}() alwaysinline nounwind {{",
            f"%fuel = load i64, {context_field('fuel')}",
            "%left = add nsw i64 %fuel, -1",
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
            "call void @k.alone_for_long()",
            "%switch = icmp ne i8 %other, 0",
            "br i1 %switch, label %yes, label %no",
            "yes:\ncall void @__irsan_reschedule()\nbr label %no",
            "no:",
            "call void @k.end_if_cancelled()",
            "call void @__irsan_act_if_asked()",
            "ret void\n}",
        ]
    )


def _other(hook: Hook) -> str:
    writer = {
        "range": _range,
        "memory": _memory,
        "ignore": _ignore,
        "count": _count,
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


def _count(hook: Hook) -> str:
    return (
        f"define void @{hook.name}(ptr %p, i32 %site) nounwind {{\n%a = ptrtoint ptr %p to i64\n"
        "call void @k.count_access(i64 %a, i32 %site)\nret void\n}"
    )


def _fence(hook: Hook) -> str:
    body = "" if hook.operation == "signal" else "call void @k.race_fence(i64 %wide)\n"
    return (
        f"define void @{hook.name}(i32 %order) nounwind {{\n%wide = zext i32 %order to i64\n"
        f"{body}call void @k.sync_point()\ncall void @__irsan_safepoint()\nret void\n}}"
    )


def _nothing(hook: Hook) -> str:
    return f"define void @{hook.name}() nounwind {{\nret void\n}}"
