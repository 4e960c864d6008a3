"""Glue for `__tsan_atomic*`: the race check and clock work in a kernel, then the operation.

All guest threads share one OS thread and switch only at safepoints, so a plain load, operation and
store between two kernels is atomic; memory orders matter only to the clocks.  The word that is
added to each order is 0, or the number of seq_cst: every sum acquires and releases then.  Another
thread may go on before each operation, and behind one that has written.
"""

from __future__ import annotations

from irsan.engine.glue.text import context_field
from irsan.instrument.hooks import HOOKS, WEAK, Hook

_SIMPLE = {
    "fetch_add": "add",
    "fetch_sub": "sub",
    "fetch_and": "and",
    "fetch_or": "or",
    "fetch_xor": "xor",
}


def atomic_hooks() -> str:
    """LLVM text defining every atomic hook of the table."""
    return "\n".join(_atomic(hook) for hook in HOOKS.values() if hook.group == "atomic")


def _atomic(hook: Hook) -> str:
    if hook.operation == "load":
        return _load(hook)
    if hook.operation == "store":
        return _store(hook)
    if hook.operation.startswith("compare_exchange"):
        return _compare_exchange(hook)
    return _rmw(hook)


def _check(kernel: str, hook: Hook, order: str) -> list[str]:
    wide = f"%wide{kernel[-4:].strip('_')}"
    return [
        f"{wide}.asked = zext i32 {order} to i64",
        f"{wide}.added = load i64, {context_field('interface.added_order')}",
        f"{wide} = or i64 {wide}.asked, {wide}.added",
        f"call void @k.{kernel}(i64 %a, i64 {hook.size_bytes}, i64 {wide})",
        "call void @__irsan_act_if_asked()",
    ]


def _before(kernel: str) -> list[str]:
    """A point at which another thread may go on first; the address is %a from then on."""
    return [
        "%a = ptrtoint ptr %p to i64",
        f"call void @k.{kernel}(i64 %a)",
        "call void @__irsan_safepoint()",
    ]


def _after() -> list[str]:
    """Others may look at what was written before this thread does anything else."""
    return ["call void @__irsan_written()"]


def _load(hook: Hook) -> str:
    value = hook.result
    return "\n".join(
        [
            f"define {value} @{hook.name}(ptr %p, i32 %order) nounwind {{",
            *_before("load_point"),
            *_check("race_atomic_load", hook, "%order"),
            f"%v = load {value}, ptr %p, align 1",
            f"ret {value} %v\n}}",
        ]
    )


def _store(hook: Hook) -> str:
    value = hook.arguments[1]
    return "\n".join(
        [
            f"define void @{hook.name}(ptr %p, {value} %v, i32 %order) nounwind {{",
            *_before("write_point"),
            *_check("race_atomic_store", hook, "%order"),
            f"store {value} %v, ptr %p, align 1",
            *_after(),
            "ret void\n}",
        ]
    )


def _rmw(hook: Hook) -> str:
    value = hook.result
    return "\n".join(
        [
            f"define {value} @{hook.name}(ptr %p, {value} %v, i32 %order) nounwind {{",
            *_before("write_point"),
            *_check("race_atomic_rmw", hook, "%order"),
            f"%old = load {value}, ptr %p, align 1",
            *_combine(hook.operation, value),
            f"store {value} %new, ptr %p, align 1",
            *_after(),
            f"ret {value} %old\n}}",
        ]
    )


def _combine(operation: str, value: str) -> list[str]:
    if operation == "exchange":
        return [f"%new = add {value} %v, 0"]
    if operation == "fetch_nand":
        return [f"%both = and {value} %old, %v", f"%new = xor {value} %both, -1"]
    return [f"%new = {_SIMPLE[operation]} {value} %old, %v"]


def _compare_exchange(hook: Hook) -> str:
    by_value = hook.operation.endswith("_val")
    value = hook.arguments[2]
    result = hook.result
    expected = f"{value} %e" if by_value else "ptr %ep"
    first = [] if by_value else [f"%e = load {value}, ptr %ep, align 1"]
    failed = [] if by_value else [f"store {value} %old, ptr %ep, align 1"]
    is_weak, from_weak = _weak_branch(hook)
    return "\n".join(
        [
            f"define {result} @{hook.name}(ptr %p, {expected}, {value} %v, i32 %asked, i32 %fail)"
            " nounwind {",
            "entry:",
            f"%order = and i32 %asked, {~WEAK}",
            *_before("write_point"),
            *first,
            f"%old = load {value}, ptr %p, align 1",
            f"%same = icmp eq {value} %old, %e",
            *is_weak,
            "success:",
            *_check("race_atomic_rmw", hook, "%order"),
            f"store {value} %v, ptr %p, align 1",
            *_after(),
            "br label %done",
            "failure:",
            f"%spurious = phi i64 [ 0, %entry ]{from_weak}",
            *_check("race_atomic_load", hook, "%fail"),
            *failed,
            "br label %done",
            "done:",
            "%has.failed = phi i64 [ 0, %success ], [ %spurious, %failure ]",
            "%bit = phi i32 [ 1, %success ], [ 0, %failure ]",
            f"store i64 %has.failed, {context_field('inject.weak_failed')}",
            f"ret {result} %old" if by_value else "ret i32 %bit",
            "}",
        ]
    )


def _weak_branch(hook: Hook) -> tuple[list[str], str]:
    """From %same to success or failure; and where failure comes from beside the entry.

    By value the order says whether the operation is weak.
    """
    if hook.name.endswith("_strong"):
        return ["br i1 %same, label %success, label %failure"], ""
    always = int(hook.name.endswith("_weak"))
    lines = [
        f"%weak.bit = and i32 %asked, {WEAK}",
        f"%weak.word = or i32 %weak.bit, {always}",
        "%is.weak = icmp ne i32 %weak.word, 0",
        "br i1 %same, label %equal, label %failure",
        "equal:", "br i1 %is.weak, label %weak, label %success",
        "weak:", "%fails = call i8 @k.weak_fails()",
        "%is.failing = icmp ne i8 %fails, 0",
        "br i1 %is.failing, label %failure, label %success",
    ]  # fmt: skip
    return lines, ", [ 1, %weak ]"
