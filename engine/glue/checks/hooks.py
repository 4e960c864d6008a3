"""Glue for hooks: the bodies of those that are alike; the others are templates.

    __tsan_read4(p):  race_read4_fast(p) ?  return  :  __irsan_slow_thread_r4(p, ctx.site)

Programs have checks (checks.py) instead of access hooks; those are here for native code that
calls them.  `hot_hooks` are linked into programs as available_externally; `access_hooks` live in
the runtime object only.  Hooks that are no access have a body each: templates/checks/hooks.ll.
"""

from __future__ import annotations

from irsan.engine.glue.checks.check_kernels import INSIDE, fast_kernel
from irsan.engine.glue.checks.checks import checks, kernels_of_checks
from irsan.engine.glue.checks.outlined import apart_hooks, outlined_declarations
from irsan.engine.glue.checks.slow_paths import slow_declarations, slow_name, slow_paths
from irsan.engine.glue.checks.small_copies import small_copies, small_declarations
from irsan.engine.glue.templates import INLINED, names, template
from irsan.engine.glue.text import LIKELY, context_field
from irsan.instrument.hooks import HOOKS, Hook

_WRITE, _VPTR = 1, 32
_INLINED_GROUPS = ("check", "apart", "compact", "mixed", "small", "bits", "ids", "engine", "frame")
_FRAMES = frozenset({
    "callstack_enter", "callstack_exit", "callstack_leave", "callstack_depth", "callstack_restore",
})  # fmt: skip
_BOUNDS = (
    "__irsan_bounds_asked", "__irsan_bounds_check", "__irsan_bounds_near", "__irsan_bounds_range",
    "__irsan_object_lo", "__irsan_object_length", "__irsan_pointer_kept",
)  # fmt: skip


def hot_hooks() -> str:
    """Definitions of all hooks worth inlining, but for those that only programs have."""
    return "\n".join([checks(), apart_hooks(), small_copies(), *map(template, names(INLINED))])


def access_hooks() -> str:
    """Access hooks under compiler-rt's names, and the slow paths of everything."""
    parts = [_access(hook) for hook in _scalar_accesses()]
    return "\n".join([*parts, slow_paths()])


def hot_declarations() -> str:
    """Declarations of what the checks call, for the module that is linked into programs."""
    return "\n".join([slow_declarations(), outlined_declarations(), small_declarations()])


def hot_hook_names() -> list[str]:
    """Names that `hot_hooks` defines."""
    return [*(h.name for h in HOOKS.values() if h.group in _INLINED_GROUPS), *_BOUNDS]


def hot_kernel_names() -> frozenset[str]:
    """Kernels that must disappear into the hot hooks."""
    return kernels_of_checks() | _FRAMES


def _scalar_accesses() -> list[Hook]:
    return [hook for hook in HOOKS.values() if hook.group in ("access", "vptr")]


def _fast_kernel(hook: Hook) -> str:
    if hook.sanitizer == "address":
        return INSIDE[hook.size_bytes]
    return fast_kernel(hook.size_bytes, is_write=hook.is_write)


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
