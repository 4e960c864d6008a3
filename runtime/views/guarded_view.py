"""The guarded pool as reports see it: its state copied out of memory, and what a fault in it means.

    state = read_pool(ctx)              plain bytes: as good from a saved file as from a live guest
    state.holds(addr), state.nearest_slot(addr)
    diagnose_access(state, addr)        "Use After Free", "Buffer Overflow", "Buffer Underflow",
                                        "Unknown"

The kind of an access follows from the place alone: a guard page belongs to the nearer slot, and a
slot that is free was used after its free, wherever around its block.  Where that does not say
what happened the answer is "Unknown", never a guess.

Source: LLVM's GWP-ASan (crash_handler, common): which slot a guard page belongs to, and the kinds.
Deviation: within the page of a live slot the place still decides, when address checks saw the
access.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np

from irsan.runtime.records.memory import guarded_records as gr

AccessKind = Literal["Use After Free", "Buffer Overflow", "Buffer Underflow", "Unknown"]

_CONTINUES: Final = 0x80
_NUMBER_BITS: Final = 32
_LOW32: Final = (1 << _NUMBER_BITS) - 1
_MAX_SHIFT: Final = 35


@dataclass(frozen=True, slots=True)
class Slot:
    """What the pool knows of one slot; sites are those of the packed stacks, innermost first."""

    number: int
    page: int
    begin: int
    size_bytes: int
    state: int
    alloc_tid: int
    free_tid: int
    alloc_sites: tuple[int, ...]
    free_sites: tuple[int, ...]
    has_crashed: bool

    @property
    def end(self) -> int:
        """First address after what the program asked for."""
        return self.begin + self.size_bytes


@dataclass(frozen=True, slots=True)
class PoolState:
    """A copy of the pool's bounds and records; `size_bytes` 0: there is no pool."""

    lo: int
    size_bytes: int
    n_slots: int
    n_used: int
    records: bytes

    def holds(self, addr: int) -> bool:
        """Whether an address lies in the pool, guard pages included."""
        return 0 <= addr - self.lo < self.size_bytes

    def is_guard(self, addr: int) -> bool:
        """Whether an address of the pool lies in a page that is never accessible."""
        offset = addr - self.lo
        behind = offset >= self.n_slots * gr.BLOCK_BYTES
        return behind or offset % gr.BLOCK_BYTES < gr.PAGE_BYTES

    def nearest_slot(self, addr: int) -> int:
        """The slot whose page holds `addr`; of a guard page, the slot on its nearer side."""
        offset = addr - self.lo
        number = offset // gr.BLOCK_BYTES
        in_page = offset % gr.PAGE_BYTES
        if number and self.is_guard(addr) and in_page <= gr.PAGE_BYTES // 2:
            number -= 1
        return min(number, self.n_slots - 1)

    def slot(self, number: int) -> Slot:
        """The record of a slot."""
        start = number * gr.SLOT_BYTES
        raw = np.frombuffer(self.records, gr.SLOT_DTYPE, count=1, offset=start)[0]
        return Slot(
            number=number,
            page=self.lo + number * gr.BLOCK_BYTES + gr.PAGE_BYTES,
            begin=int(raw["begin"]),
            size_bytes=int(raw["size_bytes"]),
            state=int(raw["state"]),
            alloc_tid=int(raw["alloc_tid"]),
            free_tid=int(raw["free_tid"]),
            alloc_sites=_sites(raw, "alloc_trace"),
            free_sites=_sites(raw, "free_trace"),
            has_crashed=bool(raw["has_crashed"]),
        )


def read_pool(ctx: Any) -> PoolState:
    """Copy the state of the pool."""
    words = ctx["guarded"]
    n_slots = int(words["n_slots"])
    return PoolState(
        lo=int(words["pool_lo"]),
        size_bytes=int(words["pool_bytes"]),
        n_slots=n_slots,
        n_used=int(words["n_used"]),
        records=ctypes.string_at(gr.SLOTS_LO, n_slots * gr.SLOT_BYTES) if n_slots else b"",
    )


def is_guarded(ctx: Any, addr: int) -> bool:
    """Whether an address lies in the pool of a running guest."""
    return 0 <= addr - int(ctx["guarded"]["pool_lo"]) < int(ctx["guarded"]["pool_bytes"])


def diagnose_access(state: PoolState, addr: int) -> AccessKind:
    """What an access to an address of the pool did wrong."""
    slot = state.slot(state.nearest_slot(addr))
    if slot.state == gr.NEVER_USED:
        return "Unknown"
    if slot.state == gr.FREED:
        return "Use After Free"
    if addr < slot.begin:
        return "Buffer Underflow"
    return "Buffer Overflow" if addr >= slot.end else "Unknown"


def unpack_trace(packed: bytes) -> tuple[int, ...]:
    """Frames of a packed trace (see kernels/heap/packed_traces.py); () for bytes that are none."""
    frames = []
    number = shift = before = 0
    for byte in packed:
        number |= (byte & ~_CONTINUES) << shift
        shift += 7
        if byte & _CONTINUES:
            if shift >= _MAX_SHIFT:
                return ()
            continue
        number &= _LOW32
        difference = number >> 1 ^ (_LOW32 if number & 1 else 0)
        before = (before + difference) & _LOW32
        frames.append(before)
        number = shift = 0
    return () if shift else tuple(frames)


def _sites(raw: Any, name: str) -> tuple[int, ...]:
    n_bytes = min(int(raw[f"{name}_bytes"]), gr.TRACE_BYTES)
    return unpack_trace(raw[name].tobytes()[:n_bytes])
