"""From a fault in the guarded pool to the report model.

    an access    its kind follows from the place (guarded_view.py)
    a free       Double Free, or Invalid (Wild) Free of a pointer that begins no block

The stacks of allocation and free are those packed into the slot's record.

Source: LLVM's GWP-ASan for the words of the kinds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal

from irsan.reports.model.report import Access, Finding, Frame, GuardedSlot, Operation, Stack
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.records.memory import guarded_records as gr
from irsan.runtime.views.guarded_view import PoolState, Slot, diagnose_access, is_guarded, read_pool
from irsan.runtime.views.thread_facts import threads_of

_FREE_KINDS: Final = {
    FaultKind.GUARDED_DOUBLE_FREE: "Double Free",
    FaultKind.GUARDED_INVALID_FREE: "Invalid (Wild) Free",
}
_WRITE: Final = 1


def guarded_address(ctx: Any) -> int | None:
    """Address of the fault in ctx.fault when it is the pool's to explain, else None."""
    kind, address, _, _, _, _, first_bad = (int(word) for word in ctx["fault"][:7])
    if kind in _FREE_KINDS:
        return address
    if kind == FaultKind.BAD_ACCESS and is_guarded(ctx, first_bad):
        return first_bad
    return None


def diagnose_guarded_fault(
    ctx: Any,
    address: int,
    frames: tuple[Frame, ...],
    site_to_frames: Callable[[int], tuple[Frame, ...]],
    *,
    fatal: bool,
) -> Finding:
    """The finding for the fault in ctx.fault, at an address that `guarded_address` gave."""
    kind, accessed, size_bytes, flags, _, tid = (int(word) for word in ctx["fault"][:6])
    state = read_pool(ctx)
    access = None
    word: str = _FREE_KINDS.get(FaultKind(kind), "")
    if not word:
        word = diagnose_access(state, address)
        operation: Operation = "write" if flags & _WRITE else "read"
        access = Access(operation, size_bytes, accessed, f"T{tid}")
    facts = _Facts(ctx, state, address, frames, site_to_frames, fatal)
    return facts.finding(word, tid, access)


def diagnose_guarded_crash(
    ctx: Any,
    crash: Any,
    tid: int,
    frames: tuple[Frame, ...],
    site_to_frames: Callable[[int], tuple[Frame, ...]],
    *,
    size_bytes: int = 0,
    fatal: bool = True,
) -> Finding:
    """The finding for a native fault (`engine.findings.crash.Crash`) at an address of the pool.

    size_bytes  of the access, 0 when it is not known
    """
    state = read_pool(ctx)
    operation: Literal["read", "write"] = "write" if crash.is_write else "read"
    access = Access(operation, size_bytes, crash.address, f"T{tid}")
    facts = _Facts(ctx, state, crash.address, frames, site_to_frames, fatal)
    return facts.finding(diagnose_access(state, crash.address), tid, access)


class _Facts:
    """One fault being explained."""

    def __init__(
        self,
        ctx: Any,
        state: PoolState,
        address: int,
        frames: tuple[Frame, ...],
        site_to_frames: Callable[[int], tuple[Frame, ...]],
        fatal: bool,
    ) -> None:
        self._ctx, self._address, self._frames = ctx, address, frames
        self._site_to_frames, self._fatal = site_to_frames, fatal
        slot = state.slot(state.nearest_slot(address))
        self._slot = slot if slot.state != gr.NEVER_USED else None

    def finding(self, kind: str, tid: int, access: Access | None) -> Finding:
        slot, thread = self._slot, f"T{tid}"
        tids = {tid}
        stacks = [Stack("access", thread, self._frames)]
        if slot is not None:
            tids |= {slot.alloc_tid, slot.free_tid} if slot.state == gr.FREED else {slot.alloc_tid}
            stacks += self._slot_stacks(slot)
        return Finding(
            tool="GWP-ASan",
            kind=kind,
            thread=thread,
            access=access,
            stacks=tuple(stacks),
            threads=tuple(known.facts for known in threads_of(self._ctx, tids)),
            details=self._details(tid) if slot is not None else None,
            address=self._address,
            pc=self._frames[0].pc if self._frames else 0,
            fatal=self._fatal,
        )

    def _slot_stacks(self, slot: Slot) -> list[Stack]:
        stacks = [Stack("allocation", f"T{slot.alloc_tid}", self._frames_of(slot.alloc_sites))]
        if slot.state == gr.FREED:
            stacks.append(Stack("free", f"T{slot.free_tid}", self._frames_of(slot.free_sites)))
        return stacks

    def _frames_of(self, sites: tuple[int, ...]) -> tuple[Frame, ...]:
        return tuple(frame for site in sites for frame in self._site_to_frames(site))

    def _details(self, tid: int) -> GuardedSlot:
        slot = self._slot
        assert slot is not None
        freed_by = slot.free_tid if slot.state == gr.FREED else None
        return GuardedSlot(
            slot.begin, slot.size_bytes, self._address, tid, slot.alloc_tid, freed_by
        )
