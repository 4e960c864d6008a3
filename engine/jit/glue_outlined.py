"""Glue for outlined checks: the same fast and slow paths as the inlined hooks, behind one call.

    __irsan_check_both_r4(p):   __asan_load4(p)   __tsan_read4(p)

preserve_mostcc: a call leaves the caller's registers alone, so big modules, which call instead of
inlining, pay with a few cycles per check and not with spills.
"""

from __future__ import annotations

from irsan.instrument.hooks import HOOKS, Hook


def outlined_hooks() -> str:
    """Definitions of all outlined hooks; `hot_hooks` must be in the same module."""
    return "\n".join(_outlined(hook) for hook in HOOKS.values() if hook.group == "outlined")


def _outlined(hook: Hook) -> str:
    lines = [f"define preserve_mostcc void @{hook.name}(ptr %p) noinline nounwind {{"]
    if hook.operation in ("address", "both"):
        word = "store" if hook.is_write else "load"
        lines.append(f"call void @__asan_{word}{hook.size_bytes}(ptr %p)")
    if hook.operation in ("thread", "both"):
        word = "write" if hook.is_write else "read"
        lines.append(f"call void @__tsan_{word}{hook.size_bytes}(ptr %p)")
    return "\n".join([*lines, "ret void\n}"])
