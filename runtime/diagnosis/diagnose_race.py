"""From the facts of a data race to the report model: who, where, before, and what lies there.

Reads ctx.fault (DATA_RACE in faults.py), the list of all races of the access
(runtime/kernels/race/cells/found_races.py), the journal of threads and the depot; calls nothing but
the two look-ups passed in.  Nothing here raises on odd state: unknown facts are left out of the
report.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from irsan.reports.model.report import (
    Access,
    AccessClock,
    Finding,
    Frame,
    Location,
    Operation,
    Stack,
    ThreadFacts,
)
from irsan.runtime import arena
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.options import RACE_DETECTOR, RACE_DETECTORS
from irsan.runtime.layout.thread_words import SLEEP_BYTES, SLEEPS
from irsan.runtime.records.context import THREAD_DTYPE
from irsan.runtime.views.lock_view import LockNames
from irsan.runtime.views.race_clocks import epoch_to_clock, known_times, wants_clocks
from irsan.runtime.views.race_journal import EpochOwner, epoch_to_owner, tid_to_owner
from irsan.runtime.views.stackdepot import stack_to_lockset, stack_to_sites

SiteToFrames = Callable[[int], tuple[Frame, ...]]
# What lies at an address, and the stacks (allocation, free) that belong to it.
DescribeAddress = Callable[[int], tuple[tuple[Location, ...], tuple[Stack, ...]]]

# Bits of a kind of access, as in runtime/kernels/race/clocks/race_words.py.
_WRITE, _ATOMIC, _FREE, _VPTR = 1, 2, 4, 32
_CLOCK_BITS = 32 - memory_map.SID_BITS
_LOCKSET = RACE_DETECTORS.index("lockset")
_WINDOW_BYTES = 8


@dataclass(frozen=True, slots=True)
class OtherSide:
    """The previous access as the kernel left it."""

    epoch: int
    stack: int
    kind: int
    address: int
    size_bytes: int


class _Found(ctypes.Structure):
    """An entry of the list of races of one access."""

    _fields_ = (
        ("address", ctypes.c_uint64), ("mask", ctypes.c_uint32), ("kind", ctypes.c_uint32),
        ("epoch", ctypes.c_uint32), ("stack", ctypes.c_uint32), ("old_mask", ctypes.c_uint32),
        ("spare", ctypes.c_uint32),
    )  # fmt: skip

    @property
    def old_bytes(self) -> range:
        """Addresses that the previous access touched in this cell."""
        mask = self.old_mask & 15
        first = (mask & -mask).bit_length() - 1 if mask else 0
        return range(self.address + first, self.address + mask.bit_length())


def _unknown_size(_stack: int) -> int:
    return 0


def diagnose_race(
    ctx: Any,
    site_to_frames: SiteToFrames,
    describe_address: DescribeAddress,
    stack_to_size: Callable[[int], int] = _unknown_size,
) -> Finding:
    """The finding for the data race in ctx.fault.

    site_to_frames    frames of a site, innermost inlined function first
    describe_address  what lies at an address, and the stacks of its heap block
    stack_to_size     bytes of the access at the top of a stack, 0 when that is not known
    """
    fault = [int(word) for word in ctx["fault"]]
    address, size_bytes, kind, stack, tid = fault[1:6]
    n_journal = int(ctx["race"]["n_journal"])
    other = _other_side(fault, stack_to_size(fault[7]))
    owner = _owner_of(other.epoch, n_journal)
    current, previous = f"T{tid}", f"T{owner.tid}" if owner else "T?"
    locations, stacks = describe_address(_shared_byte(address, other))
    frames_of = partial(_frames, site_to_frames=site_to_frames)
    involved = {tid, owner.tid} if owner else {tid}
    involved |= {int(each.thread[1:]) for each in stacks if each.thread[1:].isdigit()}
    threads, created = thread_stacks(ctx, involved, frames_of)
    locks = LockNames()
    held, held_before = (locks.held(stack_to_lockset(each)) for each in (stack, other.stack))
    clock, previous_clock = _clocks(ctx, fault[14], other.epoch)
    return Finding(
        tool="ThreadSanitizer",
        kind=race_kind(kind, other.kind),
        thread=current,
        access=Access(kind_to_operation(kind), size_bytes, address, current, held, clock=clock),
        previous_access=Access(
            kind_to_operation(other.kind),
            other.size_bytes,
            other.address,
            previous,
            held_before,
            clock=previous_clock,
        ),
        stacks=(
            Stack("access", current, frames_of(stack)),
            Stack("previous", previous, frames_of(other.stack)),
            *_sleep(ctx, other.epoch, current, frames_of),
            *stacks,
            *locks.creation_stacks(frames_of),
            *created,
        ),
        locations=locations,
        mutexes=locks.facts(),
        threads=threads,
        address=address,
        fatal=False,
        verdict="heuristic" if ctx["options"][RACE_DETECTOR] == _LOCKSET else "bug",
    )


def thread_stacks(
    ctx: Any, tids: set[int], stack_to_frames: Callable[[int], tuple[Frame, ...]]
) -> tuple[tuple[ThreadFacts, ...], tuple[Stack, ...]]:
    """Facts of threads, then of their creators, the main one left out; where each was created."""
    n_journal = int(ctx["race"]["n_journal"])
    known: list[tuple[ThreadFacts, int]] = []
    while tids:
        known += _facts(ctx, tids, n_journal)
        tids = {int(facts.created_by[1:]) for facts, _ in known}
        tids -= {int(facts.thread[1:]) for facts, _ in known} | {0}
    created = [Stack("thread-creation", f.thread, stack_to_frames(at)) for f, at in known]
    return tuple(facts for facts, _ in known), tuple(created)


def race_kind(kind: int, previous_kind: int) -> str:
    """The word of ThreadSanitizer's summary for a race between two kinds of access."""
    if kind & _VPTR and previous_kind & _FREE:
        return "heap-use-after-free (virtual call vs free)"
    if kind & _VPTR:
        return "data race on vptr (ctor/dtor vs virtual call)"
    return "heap-use-after-free" if previous_kind & _FREE else "data race"


def kind_to_operation(kind: int) -> Operation:
    """Kind bits as the word that reports use."""
    if kind & _ATOMIC:
        return "atomic write" if kind & _WRITE else "atomic read"
    return "write" if kind & _WRITE else "read"


def _clocks(
    ctx: Any, epoch: int, previous_epoch: int
) -> tuple[AccessClock, AccessClock] | tuple[None, None]:
    """Logical times of both accesses, if they were asked for."""
    if not wants_clocks(ctx):
        return None, None
    known = tuple(known_times(ctx, epoch))
    return epoch_to_clock(epoch, known), epoch_to_clock(previous_epoch)


def _sleep(
    ctx: Any, previous_epoch: int, thread: str, stack_to_frames: Callable[[int], tuple[Frame, ...]]
) -> Iterator[Stack]:
    """The newest sleep of the running thread, if the other access was made before it was over."""
    record = arena.view_record(int(ctx["thread"]), THREAD_DTYPE)
    stack = int(record["wait"]["sleep_stack"])
    if not stack:
        return
    at = SLEEPS + int(record["slot"]) * SLEEP_BYTES + 4 * (previous_epoch >> _CLOCK_BITS)
    if previous_epoch <= ctypes.c_uint32.from_address(at).value:
        yield Stack("sleep", thread, stack_to_frames(stack))


def _other_side(fault: list[int], access_bytes: int) -> OtherSide:
    """The previous access; equal neighbours are one access of at most `access_bytes`.

    Of a free it is the eight bytes around: a block has no size any more.
    """
    epoch, stack, kind, address, size_bytes, n_found, found_at = fault[6:13]
    mine = (
        [
            entry.old_bytes
            for entry in (_Found * n_found).from_address(found_at)
            if (entry.epoch, entry.stack, entry.kind) == (epoch, stack, kind)
        ]
        if n_found
        else []
    )
    extent = range(address, address + size_bytes)
    for part in sorted(mine, key=lambda r: r.start):
        if part.start == extent.stop:
            extent = range(extent.start, part.stop)
    if kind & _FREE:
        lo = extent.start - extent.start % _WINDOW_BYTES
        return OtherSide(epoch, stack, kind, lo, _WINDOW_BYTES)
    if access_bytes not in range(1, 5):
        extent = _with_neighbours(extent, epoch, stack, kind)
    if access_bytes:
        extent = extent[:access_bytes]
    return OtherSide(epoch, stack, kind, extent.start, len(extent))


def _with_neighbours(extent: range, epoch: int, stack: int, kind: int) -> range:
    """A whole cell's access, widened to 8 aligned bytes if the other cell has the same one."""
    if len(extent) != 4 or extent.start % 4 or kind & ~_WRITE:
        return extent
    sibling = extent.start ^ 4
    cell = memory_map.RACE_SHADOW + (sibling - memory_map.ARENA_LO) * 4
    half = (ctypes.c_uint32 * 2).from_address(cell + (0 if kind & _WRITE else 8))
    if (half[0], half[1]) != (epoch, 15 << 28 | stack):
        return extent
    lo = min(extent.start, sibling)
    return range(lo, lo + _WINDOW_BYTES)


def _shared_byte(address: int, other: OtherSide) -> int:
    return max(address, other.address)


def _owner_of(epoch: int, n_journal: int) -> EpochOwner | None:
    try:
        return epoch_to_owner(epoch, n_journal)
    except LookupError:
        return None


def _facts(ctx: Any, tids: set[int], n_journal: int) -> Iterator[tuple[ThreadFacts, int]]:
    """Facts and creation stack of each thread but the main one."""
    names = dict(_live_names(ctx))
    for tid in sorted(tids - {0}):
        try:
            owner = tid_to_owner(tid, n_journal)
        except LookupError:
            continue
        facts = ThreadFacts(
            f"T{tid}",
            name=names.get(tid, "") if not owner.finished else owner.name,
            os_tid=tid,
            status="finished" if owner.finished else "running",
            created_by=f"T{owner.parent_tid}",
        )
        yield facts, owner.creation_stack


def _live_names(ctx: Any) -> Iterator[tuple[int, str]]:
    """(tid, name) of every thread record in use."""
    for slot in range(int(ctx["schedule"]["n_threads"])):
        thread = arena.view_record(memory_map.slot_to_thread(slot), THREAD_DTYPE)
        raw = thread["name"].tobytes().partition(b"\0")[0]
        yield int(thread["tid"]), raw.decode("utf-8", "replace")


def _frames(stack: int, site_to_frames: SiteToFrames) -> tuple[Frame, ...]:
    return tuple(frame for site in stack_to_sites(stack) for frame in site_to_frames(site))
