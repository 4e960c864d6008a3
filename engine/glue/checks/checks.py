"""Glue for checks: all questions about one access, asked once and inlined into the guest.

    __irsan_check_read4_both(p, site):

        whole granule?  -yes->  races ignored?  -yes->  done
            | no                    | no
        partial granule? -yes->  same epoch?    -yes->  done
            | no                    | no
        __irsan_slow_both_r4    __irsan_slow_thread_r4      (a, site), preserve_mostcc, noinline

A slow path (slow_paths.py) stores the site, asks the exact kernels, and acts on what they find.

The checks are linked into programs as available_externally; the slow paths live in the runtime
object only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from irsan.engine.glue.checks.check_kernels import (
    ANYWHERE,
    INSIDE,
    PARTIAL_SIZES,
    WHOLE,
    fast_kernel,
    known_kernel,
)
from irsan.engine.glue.checks.slow_paths import slow_name
from irsan.engine.glue.text import LIKELY, UNLIKELY, asked
from irsan.instrument.hooks import HOOKS, Hook, check_name, compact_name
from irsan.runtime.layout import memory_map

SlowCall = Callable[[str, Hook], list[str]]


def check_hooks() -> list[Hook]:
    """All rows of the table that this file gives a body."""
    return [hook for hook in HOOKS.values() if hook.group == "check"]


def checks() -> str:
    """Definitions of all checks."""
    return "\n".join(_check(hook) for hook in check_hooks())


def kernels_of_checks() -> frozenset[str]:
    """Kernels that must disappear into the checks."""
    return frozenset(name for hook in check_hooks() for name in _kernels_of(hook))


def _kernels_of(hook: Hook) -> Iterator[str]:
    tool, is_anywhere = split_operation(hook)
    if tool != "thread":
        yield _whole_kernel(hook.size_bytes, is_anywhere)
        if hook.size_bytes in PARTIAL_SIZES:
            yield INSIDE[hook.size_bytes]
    if tool != "address":
        asked = fast_kernel if tool == "thread" or is_anywhere else known_kernel
        yield asked(hook.size_bytes, is_write=hook.is_write)


def split_operation(hook: Hook) -> tuple[str, bool]:
    """What a check asks about (address, thread or both), and whether at any alignment."""
    tool, _, anywhere = hook.operation.partition("_")
    return tool, bool(anywhere)


def _whole_kernel(size_bytes: int, is_anywhere: bool) -> str:
    return (ANYWHERE if is_anywhere else WHOLE)[size_bytes]


def check_lines(hook: Hook, slow_call: SlowCall) -> list[str]:
    """Lines of the body of a check of %p.

    slow_call: gives the block that calls the slow path of a tool, for an address %a.
    """
    tool, is_anywhere = split_operation(hook)
    lines = ["%a = ptrtoint ptr %p to i64"]
    if tool != "thread":
        lines += _address_questions(hook, is_anywhere, "done" if tool == "address" else "race")
    if tool != "address":
        lines += _race_questions(hook, is_general=tool == "thread" or is_anywhere)
    if tool != "thread":
        lines += ["slow:", *slow_call(tool, hook)]
    if tool != "address":
        lines += ["slow.race:", *slow_call("thread", hook)]
    return [*lines, "done:", "ret void"]


def mixed_checks() -> str:
    """Checks of which compact ones ask about the address; those must be in the same module."""
    return "\n".join(_mixed(hook) for hook in HOOKS.values() if hook.group == "mixed")


def _mixed(hook: Hook) -> str:
    _, is_anywhere = split_operation(hook)
    check = check_name(hook.is_write, hook.size_bytes, hook.operation.replace("both", "address"))
    return "\n".join(
        [
            f"define void @{hook.name}(ptr %p, i32 %site) alwaysinline nounwind {{",
            f"call void @{compact_name(check)}(ptr %p, i32 %site)",
            "%a = ptrtoint ptr %p to i64",
            "br label %race",
            *_race_questions(hook, is_general=is_anywhere),
            *["slow.race:", *_slow_call("thread", hook), "done:", "ret void", "}"],
        ]
    )


def _check(hook: Hook) -> str:
    head = f"define void @{hook.name}(ptr %p, i32 %site) alwaysinline nounwind {{"
    return "\n".join([head, *check_lines(hook, _slow_call), "}"])


def _address_questions(hook: Hook, is_anywhere: bool, then: str) -> list[str]:
    size = hook.size_bytes
    lines = [
        *asked(f"call i8 @k.{_whole_kernel(size, is_anywhere)}(i64 %a)", "whole"),
        f"br i1 %whole, label %{then}, label %partial, !prof {LIKELY}",
        "partial:",
    ]
    if size not in PARTIAL_SIZES:
        return [*lines, "br label %slow"]
    # Behind it stand checks for aligned accesses.
    return [
        *lines,
        *asked(f"call i8 @k.{INSIDE[size]}(i64 %a)", "inside"),
        f"%low = and i64 %a, {0 if is_anywhere else size - 1}",
        "%is.aligned = icmp eq i64 %low, 0",
        "%part = and i1 %inside, %is.aligned",
        f"br i1 %part, label %{then}, label %slow, !prof {LIKELY}",
    ]


def _race_questions(hook: Hook, is_general: bool) -> list[str]:
    size, is_write = hook.size_bytes, hook.is_write
    if is_general:
        kernel = fast_kernel(size, is_write=is_write)
        return [
            "br label %race" if hook.operation == "thread" else "",
            "race:",
            *asked(f"call i8 @k.{kernel}(i64 %a)", "known"),
            f"br i1 %known, label %done, label %slow.race, !prof {LIKELY}",
        ]
    return [
        "race:",
        "%ignored = call i1 @__irsan_races_ignored()",
        "br i1 %ignored, label %done, label %recorded",
        "recorded:",  # memory of others may be addressable: foreign_shadow.py
        f"%near = sub i64 %a, {memory_map.ARENA_LO}",
        f"%is.far = icmp uge i64 %near, {memory_map.ARENA_SIZE}",
        f"br i1 %is.far, label %done, label %ours, !prof {UNLIKELY}",
        "ours:",
        *asked(f"call i8 @k.{known_kernel(size, is_write=is_write)}(i64 %a)", "known"),
        f"br i1 %known, label %done, label %slow.race, !prof {LIKELY}",
    ]


def _slow_call(tool: str, hook: Hook) -> list[str]:
    name = slow_name(tool, hook.is_write, hook.size_bytes)
    return [f"call preserve_mostcc void @{name}(i64 %a, i32 %site)", "br label %done"]
