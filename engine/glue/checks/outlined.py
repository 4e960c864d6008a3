"""Glue for checks of functions of big units that may use AVX, where not all of a check is inlined.

All others have compact.py's.

    __irsan_outlined_read4_both(p, site):    __irsan_check_read4_both(p, site)

    __irsan_apart_read4_both(p, site):       __irsan_check_read4_address(p, site)
                                             races ignored?  -yes->  done
                                                 | no
                                             __irsan_outlined_read4_thread(p, site)

The second kind is inlined: a program of one thread, where races are ignored, calls nothing, and a
check is a fifth of the code that both questions are.

preserve_mostcc: a call leaves the caller's registers alone, so big modules, which call instead of
inlining, pay with a few cycles per check and not with spills.
"""

from __future__ import annotations

from irsan.engine.glue.checks.checks import check_hooks
from irsan.instrument.hooks import HOOKS, Hook, check_name, outlined_name


def outlined_hooks() -> str:
    """Definitions of all outlined hooks; the checks must be in the same module."""
    return "\n".join(_outlined(hook.name) for hook in check_hooks())


def apart_hooks() -> str:
    """Definitions of the checks that leave races to an outlined one."""
    return "\n".join(_apart(hook) for hook in _apart_rows())


def outlined_declarations() -> str:
    """Declarations of what the checks of `apart_hooks` call."""
    return "\n".join(
        f"declare preserve_mostcc void @{name}(ptr, i32) nounwind"
        for name in dict.fromkeys(_asking_of_races(hook) for hook in _apart_rows())
    )


def _apart_rows() -> list[Hook]:
    return [hook for hook in HOOKS.values() if hook.group == "apart"]


def _asking_of_races(hook: Hook) -> str:
    return outlined_name(check_name(hook.is_write, hook.size_bytes, "thread"))


def _outlined(check: str) -> str:
    return (
        f"define preserve_mostcc void @{outlined_name(check)}(ptr %p, i32 %site) noinline nounwind"
        f" {{\ncall void @{check}(ptr %p, i32 %site)\nret void\n}}"
    )


def _apart(hook: Hook) -> str:
    address = check_name(hook.is_write, hook.size_bytes, hook.operation.replace("both", "address"))
    first = [] if hook.operation == "thread" else [f"call void @{address}(ptr %p, i32 %site)"]
    return "\n".join(
        [
            f"define void @{hook.name}(ptr %p, i32 %site) alwaysinline nounwind {{",
            *first,
            "%ignored = call i1 @__irsan_races_ignored()",
            "br i1 %ignored, label %done, label %recorded",
            "recorded:",
            f"call preserve_mostcc void @{_asking_of_races(hook)}(ptr %p, i32 %site)",
            "br label %done",
            "done:",
            "ret void",
            "}",
        ]
    )
