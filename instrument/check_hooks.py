"""Which check stands for the access hooks of one place: what the engine runs instead of them.

    __asan_load4(%p)  __tsan_read4(%p)      __irsan_check_read4_both(%p, site)
    __asan_load4(%p)                        __irsan_check_read4_address(%p, site)
    __asan_loadN(%p, 4)  __tsan_un..4(%p)   __irsan_check_read4_both_anywhere(%p, site)

One check asks each question once, and stores its site only when it finds something
to do, while a hook alone needs a store before it.  Hooks of virtual table pointers stay: a race on
one has a name of its own, and an update that changes nothing is none.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from irsan.instrument.hooks import ACCESS_SIZES, HOOKS, WIDE_SIZES, Hook, check_name
from irsan.ir.calls import Call
from irsan.ir.constants import ConstantInt
from irsan.ir.instruction import Instruction
from irsan.ir.values import Function, Value

BOUNDS_ASKED: Final = "__irsan_bounds_asked"
BOUNDS_CHECK: Final = "__irsan_bounds_check"
POINTER_KEPT: Final = "__irsan_pointer_kept"
COMPARING: Final = frozenset((BOUNDS_CHECK, POINTER_KEPT))
"""Hooks that compare numbers, and act on nothing that other threads see."""


class Check(NamedTuple):
    """A check that stands for `n_hooks` hooks in a row (1 or 2)."""

    name: str
    size_bytes: int
    is_write: bool
    pointer: Value
    n_hooks: int


class _Access(NamedTuple):
    tool: str
    pointer: Value
    size_bytes: int
    is_write: bool
    is_anywhere: bool


def find_check(call: Instruction, following: Instruction | None) -> Check | None:
    """The check that stands for the hook `call`, and for `following` when it fits; or None."""
    first = _as_access(call)
    if first is None:
        return None
    size, where = first.size_bytes, "_anywhere" if first.is_anywhere else ""
    second = _as_access(following) if following is not None else None
    if second is not None and _fits(first, second):
        assert following is not None
        if call.debug_location is following.debug_location:
            name = check_name(first.is_write, size, "both" + where)
            return Check(name, size, first.is_write, first.pointer, 2)
    name = check_name(first.is_write, size, first.tool + where)
    return Check(name, size, first.is_write, first.pointer, 1)


def is_check(call: Instruction) -> bool:
    """Whether a check will stand for this hook."""
    return _as_access(call) is not None


def _fits(first: _Access, second: _Access) -> bool:
    is_pair = first.tool == "address" and second.tool == "thread"
    return is_pair and first.pointer is second.pointer and first[2:4] == second[2:4]


def _as_access(call: Instruction) -> _Access | None:
    callee = call.operands[0] if isinstance(call, Call) else None
    hook = HOOKS.get(callee.name) if isinstance(callee, Function) else None
    if hook is None or hook.group not in ("access", "range"):
        return None
    pointer = call.operands[1]
    if hook.group != "range":
        return _Access(hook.sanitizer, pointer, hook.size_bytes, hook.is_write, False)
    size = _fixed_size(hook, call)
    return _Access("address", pointer, size, hook.is_write, True) if size else None


def _fixed_size(hook: Hook, call: Instruction) -> int:
    """Size of a range that is a badly aligned access, or one of a wide vector; 0 for others."""
    if hook.sanitizer != "address":
        return 0
    size = call.operands[2]
    if isinstance(size, ConstantInt) and size.value in (*ACCESS_SIZES[1:], *WIDE_SIZES):
        return size.value
    return 0
