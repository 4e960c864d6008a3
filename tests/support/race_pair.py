"""Drive the race kernels and the naive detector with the same steps and compare them.

A step is a tuple (verb, thread number, numbers...).  Steps that make no sense in the present state
(a dead thread, a lock held by another) are skipped on both sides, so any random list is a program.
After each access: the bytes that race for the first time must be the same on both sides, and each
other side that the kernels name must be one that the naive detector allows.  The detector `tsan`
may miss races, which are counted; it must not add any.

With `waits` a lock that another thread holds, and a thread that has not ended, are waited for: the
thread's steps are skipped until then.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any

from irsan.runtime.kernels import actions
from irsan.runtime.kernels.race import access, race_atomics, race_free, race_ranges, thread_clocks
from irsan.runtime.kernels.race import sync_clocks as sync
from irsan.runtime.kernels.race.all_threads import learn_everything
from irsan.runtime.kernels.race.cells import renewal, same_epoch
from irsan.runtime.kernels.race.clocks import race_words as words
from irsan.runtime.kernels.race.sync_objects import sync_forget
from irsan.runtime.layout import memory_map, options
from irsan.runtime.layout.thread_states import BLOCKED, RUNNABLE, WAIT_JOIN, WAIT_MUTEX
from irsan.runtime.views.stackdepot import stack_to_sites
from tests.oracles.fasttrack import ATOMIC, WRITE, NaiveDetector

BASE = memory_map.HEAP_LO + 4096
MUTEXES = (memory_map.GLOBALS_LO + 64, memory_map.GLOBALS_LO + 72, 0x10_0000)
SEMAPHORES = BASE + 65536
Step = tuple[Any, ...]


class Found(ctypes.Structure):
    """An entry of the found list of runtime/kernels/race/cells/found_races.py."""

    _fields_ = (
        ("addr", ctypes.c_uint64), ("mask", ctypes.c_uint32), ("kind", ctypes.c_uint32),
        ("epoch", ctypes.c_uint32), ("stack", ctypes.c_uint32), ("old_mask", ctypes.c_uint32),
        ("spare", ctypes.c_uint32),
    )  # fmt: skip


@dataclass
class RacePair:
    """Both detectors, and what the program's rules need: who lives, who holds what."""

    guest: Any
    naive: NaiveDetector = field(default_factory=NaiveDetector)
    records: dict[int, Any] = field(default_factory=dict)
    finished: set[int] = field(default_factory=set)
    joined: set[int] = field(default_factory=set)
    owners: dict[int, int] = field(default_factory=dict)
    readers: dict[int, set[int]] = field(default_factory=dict)
    n_threads: int = 1
    n_races: int = 0
    n_missed: int = 0  # first races that `tsan` may miss
    max_threads: int = 10
    detector: str = "fasttrack"
    clock: str = "vector"
    frees_are_dead: bool = False  # as without address checks
    forgets_soon: bool = False  # the common past is worked out at each switch
    waits: bool = False
    waiting: dict[int, Step] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.naive.clocks.start()
        self.records[0] = self.guest.main
        self.ctx = self.guest.ctx
        self.ctx["race"]["dedupe"] = 0
        self.ctx["sanitize_address"] = int(not self.frees_are_dead)
        self.ctx["options"][options.RACE_DETECTOR] = options.RACE_DETECTORS.index(self.detector)
        if self.clock == "tree":
            self.ctx["options"][options.CLOCK] = options.CLOCK_TREES

    def run(self, steps: list[Step]) -> None:
        """Apply all steps; AssertionError names the first that the two disagree on."""
        for number, (verb, tid, *arguments) in enumerate(steps):
            if tid not in self.records or tid in self.finished:
                continue
            if tid in self.waiting and not self._can_go_on(tid):
                continue
            self._switch_to(tid)
            if tid in self.waiting:
                self._go_on(tid)
            try:
                getattr(self, "do_" + verb)(tid, *arguments)
            except AssertionError as error:
                raise AssertionError(f"step {number} {steps[number]}: {error}") from None

    def _switch_to(self, tid: int) -> None:
        if int(self.ctx["thread"]) == self._record_addr(tid):
            return
        if self.forgets_soon:
            self.ctx["race"]["past_due"] = 0
        self.guest.switch_to(self.records[tid])

    def _begin_wait(self, tid: int, kind: int, addr: int, step: Step) -> None:
        if not self.waits or self.is_needed(tid):
            return
        self.waiting[tid] = step
        record = self.records[tid]
        record["state"], record["wait"]["kind"], record["wait"]["addr"] = BLOCKED, kind, addr

    def _can_go_on(self, tid: int) -> bool:
        verb, _, number = self.waiting[tid]
        if verb == "join":
            return number in self.finished
        return number not in self.owners and not self.readers.get(number)

    def _go_on(self, tid: int) -> None:
        """The wait of a thread that runs again is over."""
        verb, _, number = self.waiting.pop(tid)
        record = self.records[tid]
        record["state"], record["wait"]["kind"], record["wait"]["addr"] = RUNNABLE, 0, 0
        getattr(self, "do_" + verb)(tid, number)

    def is_awaited(self, verb: str, number: int) -> bool:
        """Whether a thread waits for the end of this one ("join"), or for this lock."""
        return any((step[0], step[2]) == (verb, number) for step in self.waiting.values())

    def is_needed(self, tid: int) -> bool:
        """Whether a wait of this thread would stop all: one thread at least goes on."""
        able = set(self.records) - self.finished - self.waiting.keys() - {tid}
        return not able or self.held_by(tid)

    def _record_addr(self, tid: int) -> int:
        return memory_map.THREADS + int(self.records[tid]["slot"]) * memory_map.THREAD_STRIDE

    def do_access(self, tid: int, offset: int, size: int, kind: int, site: int) -> None:
        self._begin(site)
        if not self._is_quick(offset, size, kind, site):
            access.race_access_slow(self.ctx, BASE + offset, size, kind)
        self._compare(tid, offset, size, kind, site)

    def _is_quick(self, offset: int, size: int, kind: int, site: int) -> bool:
        """Whether a quick answer is enough; those that record are asked at odd sites."""
        stem = f"race_{'write' if kind & WRITE else 'read'}{size}"
        fast = getattr(same_epoch, f"{stem}_fast", None)
        if fast is not None and fast(self.ctx, BASE + offset):
            return True
        renewed = getattr(renewal, f"{stem}_renewed", None) if site % 2 and kind <= WRITE else None
        return renewed is not None and bool(renewed(self.ctx, BASE + offset, site))

    def do_range(self, tid: int, offset: int, size: int, kind: int, site: int) -> None:
        self._begin(site)
        race_ranges.race_range(self.ctx, BASE + offset, size, kind)
        self._compare(tid, offset, size, kind, site)

    def do_load(self, tid: int, offset: int, size: int, order: int, site: int) -> None:
        self._begin(site)
        race_atomics.race_atomic_load(self.ctx, BASE + offset, size, order)
        self._if_multi(self.naive.clocks.observe, tid, BASE + offset, order)
        self._compare(tid, offset, size, ATOMIC, site)

    def do_store(self, tid: int, offset: int, size: int, order: int, site: int) -> None:
        self._begin(site)
        race_atomics.race_atomic_store(self.ctx, BASE + offset, size, order)
        self._compare(tid, offset, size, ATOMIC | WRITE, site)
        self._if_multi(self.naive.clocks.store, tid, BASE + offset, order)

    def do_rmw(self, tid: int, offset: int, size: int, order: int, site: int) -> None:
        self._begin(site)
        race_atomics.race_atomic_rmw(self.ctx, BASE + offset, size, order)
        self._if_multi(self.naive.clocks.observe, tid, BASE + offset, order)
        self._compare(tid, offset, size, ATOMIC | WRITE, site)
        self._if_multi(self.naive.clocks.modify, tid, BASE + offset, order)

    def do_fence(self, tid: int, order: int) -> None:
        race_atomics.race_fence(self.ctx, order)
        self._if_multi(self.naive.clocks.fence, tid, order)

    def do_free(self, tid: int, offset: int, size: int, site: int) -> None:
        self._begin(site)
        race_free.race_free(self.ctx, BASE + offset, size)
        self._compare(tid, offset, size, WRITE, site)
        self.naive.clocks.forget(BASE + offset, size)
        if self.frees_are_dead:
            size += -(offset + size) % 4
        self.naive.restart(tid, BASE + offset, size, (site,), is_dead=self.frees_are_dead)

    def do_malloc(self, tid: int, offset: int, size: int, site: int) -> None:
        self._begin(site)
        race_ranges.race_malloc(self.ctx, BASE + offset, size)
        self.naive.restart(tid, BASE + offset, size, (site,))

    def do_forget(self, tid: int, offset: int, size: int) -> None:
        race_ranges.race_forget(self.ctx, BASE + offset, size)
        self.naive.clocks.forget(BASE + offset, size)
        self.naive.restart(tid, BASE + offset, size, None)

    def do_fork(self, tid: int) -> None:
        if self.n_threads == self.max_threads:
            return
        child, self.n_threads = self.n_threads, self.n_threads + 1
        in_use = {int(r["slot"]) for t, r in self.records.items() if t not in self.joined}
        slot = next(s for s in range(self.max_threads + 1) if s not in in_use)
        self.records = {t: r for t, r in self.records.items() if t not in self.joined}
        self.records[child] = self.guest.new_thread(child, slot)
        assert thread_clocks.thread_fork(self.ctx, self._record_addr(child))
        self.naive.clocks.fork(tid, child)

    def do_finish(self, tid: int) -> None:
        if tid == 0 or self.held_by(tid):
            return
        thread_clocks.thread_finish(self.ctx)
        self.finished.add(tid)
        for waiter, step in self.waiting.items():
            if step[0] == "join" and step[2] == tid:  # woken in the same step
                self.records[waiter]["state"] = RUNNABLE

    def do_join(self, tid: int, child: int) -> None:
        if child not in self.finished and child in self.records and child != tid:
            self._begin_wait(tid, WAIT_JOIN, self._record_addr(child), ("join", tid, child))
        is_joined = child in self.joined or self.is_awaited("join", child)
        if child not in self.finished or is_joined:
            return
        thread_clocks.thread_join_edge(self.ctx, self._record_addr(child))
        self.naive.clocks.join_thread(tid, child)
        self.joined.add(child)

    def do_lock(self, tid: int, index: int) -> None:
        if index in self.owners or self.readers.get(index):
            if self.owners.get(index) != tid and tid not in self.readers.get(index, ()):
                self._begin_wait(tid, WAIT_MUTEX, MUTEXES[index], ("lock", tid, index))
            return
        self.owners[index] = tid
        sync.sync_acquire_all(self.ctx, MUTEXES[index])
        self.naive.clocks.acquire_all(tid, MUTEXES[index])

    def do_unlock(self, tid: int, index: int) -> None:
        if self.owners.get(index) != tid:
            return
        del self.owners[index]
        sync.sync_release_store(self.ctx, MUTEXES[index])
        self._if_multi(self.naive.clocks.release_store, tid, MUTEXES[index])

    def do_read_lock(self, tid: int, index: int) -> None:
        if index in self.owners:
            return
        self.readers.setdefault(index, set()).add(tid)
        sync.sync_acquire(self.ctx, MUTEXES[index])
        self.naive.clocks.acquire(tid, MUTEXES[index])

    def do_read_unlock(self, tid: int, index: int) -> None:
        if tid not in self.readers.get(index, set()):
            return
        self.readers[index].discard(tid)
        sync.sync_release_read(self.ctx, MUTEXES[index])
        self._if_multi(self.naive.clocks.release_read, tid, MUTEXES[index])

    def do_post(self, tid: int, index: int) -> None:
        sync.sync_release(self.ctx, SEMAPHORES + 8 * index)
        self._if_multi(self.naive.clocks.release, tid, SEMAPHORES + 8 * index)

    def do_wait(self, tid: int, index: int) -> None:
        sync.sync_acquire(self.ctx, SEMAPHORES + 8 * index)
        self.naive.clocks.acquire(tid, SEMAPHORES + 8 * index)

    def do_exchange(self, tid: int, index: int) -> None:
        sync.sync_release_acquire(self.ctx, SEMAPHORES + 8 * index)
        self.naive.clocks.acquire(tid, SEMAPHORES + 8 * index)
        self._if_multi(self.naive.clocks.release, tid, SEMAPHORES + 8 * index)

    def do_destroy(self, tid: int, index: int) -> None:  # noqa: ARG002 (every verb has a thread)
        is_held = index in self.owners or self.readers.get(index)
        if not is_held and not self.is_awaited("lock", index):
            sync_forget(self.ctx, MUTEXES[index])
            self.naive.clocks.forget(MUTEXES[index], 1)

    def do_finalize(self, tid: int) -> None:
        learn_everything(self.ctx)
        self._if_multi(self.naive.clocks.learn_everything, tid)

    def held_by(self, tid: int) -> bool:
        """Whether a thread holds a lock."""
        return tid in self.owners.values() or any(tid in r for r in self.readers.values())

    def _if_multi(self, act: Any, *arguments: Any) -> None:
        """Clock work of the naive side, which the kernels skip while there is one thread only."""
        if self.n_threads > 1:
            act(*arguments)

    def _begin(self, site: int) -> None:
        self.ctx["site"] = site
        self.ctx["action"] = actions.NONE
        self.ctx["race"]["n_found"] = 0

    def _compare(self, tid: int, offset: int, size: int, kind: int, site: int) -> None:
        already = set(self.naive.raced)
        expected = self.naive.access(tid, BASE + offset, size, kind, (site,))
        named: dict[int, list[Found]] = {}
        for entry in self.found():
            for byte in range(4):
                if entry.mask >> byte & 1:
                    named.setdefault(entry.addr + byte, []).append(entry)
        got = named.keys() - already
        missed = expected.keys() - got if self.detector == "tsan" else set()
        self.n_missed += len(missed)
        assert got == expected.keys() - missed, f"races {sorted(got)}, not {sorted(expected)}"
        for byte in got:
            for entry in named[byte]:
                side = (self._tid(entry.epoch), tuple(stack_to_sites(entry.stack)), entry.kind & 3)
                assert side in expected[byte], f"{side} is none of {expected[byte]}"
        if named:
            assert self.ctx["action"] == actions.REPORT
        self.n_races += len(got)

    def found(self) -> list[Found]:
        """What the last access raced with, from the kernels' list."""
        n = int(self.ctx["race"]["n_found"])
        return list((Found * n).from_address(words.FOUND_ADDR))

    def _tid(self, epoch: int) -> int:
        from irsan.runtime.views.race_journal import epoch_to_owner

        return epoch_to_owner(epoch, int(self.ctx["race"]["n_journal"])).tid
