"""Who a thread is, for memory reports: name, state, creator, from the journal or its record.

The race detector's journal knows every thread that ever ran; without the detector the thread
records know those whose slot was not used again, and of the others it is noted who created them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from irsan.reports.model.report import ThreadFacts
from irsan.runtime import arena
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.thread_states import FINISHED
from irsan.runtime.records.context import THREAD_DTYPE
from irsan.runtime.records.threads.thread_records import creation_of
from irsan.runtime.views.race_journal import tid_to_owner


@dataclass(frozen=True, slots=True)
class KnownThread:
    """Facts of a thread, the number of its creator and the stack id of its creation."""

    facts: ThreadFacts
    parent_tid: int
    creation_stack: int


def threads_of(ctx: Any, tids: set[int]) -> list[KnownThread]:
    """The threads in `tids` and all their creators, but not the main thread; by number."""
    known: dict[int, KnownThread] = {}
    waiting = sorted(tids - {0})
    while waiting:
        tid = waiting.pop()
        thread = find_thread(ctx, tid) if tid not in known else None
        if thread is None:
            continue
        known[tid] = thread
        if thread.parent_tid != 0:
            waiting.append(thread.parent_tid)
    return [known[tid] for tid in sorted(known)]


def find_thread(ctx: Any, tid: int) -> KnownThread | None:
    """One thread by its number, or None."""
    record = next((r for r in thread_records(ctx) if int(r["tid"]) == tid), None)
    name = _name(record) if record is not None else ""
    finished = record is None or int(record["state"]) == FINISHED
    try:
        owner = tid_to_owner(tid, int(ctx["race"]["n_journal"]))
    except LookupError:
        if record is None:
            creation = creation_of(tid)
            return _known(tid, "", True, *creation) if creation is not None else None
        parent, stack = int(record["parent_tid"]), int(record["creation_stack"])
        return _known(tid, name, finished, parent, stack)
    return _known(tid, owner.name or name, owner.finished, owner.parent_tid, owner.creation_stack)


def thread_records(ctx: Any) -> Iterator[Any]:
    """Every thread record in use, by slot; fibers too."""
    for slot in range(min(int(ctx["schedule"]["n_threads"]), memory_map.MAX_LIVE_THREADS)):
        yield arena.view_record(memory_map.slot_to_thread(slot), THREAD_DTYPE)


def own_tid(record: Any) -> int:
    """The number that a thread began with, whatever fiber it runs: whose stack it is."""
    home = int(record["fiber"]["home"])
    if not home or int(record["fiber"]["current"]) == home:
        return int(record["tid"])
    return int(arena.view_record(home, THREAD_DTYPE)["tid"])


def _known(tid: int, name: str, finished: bool, parent: int, stack: int) -> KnownThread:
    facts = ThreadFacts(
        f"T{tid}",
        name=name,
        os_tid=tid,
        status="finished" if finished else "running",
        created_by=f"T{parent}",
    )
    return KnownThread(facts, parent, stack)


def _name(record: Any) -> str:
    raw: bytes = record["name"].tobytes().partition(b"\0")[0]
    return raw.decode("utf-8", "replace")
