"""Glue for outlined checks: the same fast and slow paths as the inlined ones, behind one call.

    __irsan_outlined_read4_both(p, site):   __irsan_check_read4_both(p, site)

preserve_mostcc: a call leaves the caller's registers alone, so big modules, which call instead of
inlining, pay with a few cycles per check and not with spills.
"""

from __future__ import annotations

from irsan.engine.glue.checks.checks import check_hooks
from irsan.instrument.hooks import outlined_name


def outlined_hooks() -> str:
    """Definitions of all outlined hooks; the checks must be in the same module."""
    return "\n".join(_outlined(hook.name) for hook in check_hooks())


def _outlined(check: str) -> str:
    return (
        f"define preserve_mostcc void @{outlined_name(check)}(ptr %p, i32 %site) noinline nounwind"
        f" {{\ncall void @{check}(ptr %p, i32 %site)\nret void\n}}"
    )
