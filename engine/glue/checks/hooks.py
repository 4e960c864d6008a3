"""Glue for hooks: the bodies of those that are alike; the others are templates.

    __tsan_read4(p):  race_read4_fast(p) ?  return  :  __irsan_slow_thread_r4(p, ctx.site)

Programs have checks (checks.py) instead of access hooks; those are here for native code that
calls them.  `hot_hooks` are linked into programs as available_externally; `access_hooks` and
`other_hooks` live in the runtime object only.
"""

from __future__ import annotations

from irsan.engine.glue.checks.checks import (
    checks,
    kernels_of_checks,
    slow_declarations,
    slow_name,
    slow_paths,
)
from irsan.engine.glue.templates import INLINED, names, template
from irsan.engine.glue.text import LIKELY, context_field
from irsan.instrument.hooks import HOOKS, Hook

_WRITE, _VPTR = 1, 32
_INLINED_GROUPS = ("check", "bits", "ids", "engine", "frame")
_BOUNDS = ("__irsan_bounds_check", "__irsan_object_length")


def hot_hooks() -> str:
    """Definitions of all hooks worth inlining."""
    return "\n".join([checks(), *map(template, names(INLINED))])


def access_hooks() -> str:
    """Access hooks under compiler-rt's names, and the slow paths of everything."""
    parts = [_access(hook) for hook in _scalar_accesses()]
    return "\n".join([*parts, slow_paths()])


def hot_declarations() -> str:
    """Declarations of what the checks call, for the module that is linked into programs."""
    return slow_declarations()


def other_hooks() -> str:
    """Ranges, memory functions, ignores, starts and fences."""
    return "\n".join(text for hook in HOOKS.values() if (text := _other(hook)))


def hot_hook_names() -> list[str]:
    """Names that `hot_hooks` defines."""
    return [*(h.name for h in HOOKS.values() if h.group in _INLINED_GROUPS), *_BOUNDS]


def hot_kernel_names() -> frozenset[str]:
    """Kernels that must disappear into the hot hooks."""
    frames = ("enter", "exit", "leave", "depth", "restore")
    return kernels_of_checks() | {f"callstack_{word}" for word in frames}


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
