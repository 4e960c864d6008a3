"""Threads and sync objects in the words of the STD format: fork, join, acq, rel.

    mutex, spinlock, writer of a rwlock    acq(lock), rel(lock)
    thread                                 fork(T2), join(T2)
    anything else that is released         T1|fork(m1)  m1|begin    a messenger, which does nothing
    and acquired                           T2|join(m1)

The rest is rwlocks (what writers leave to readers, and readers to writers), semaphores, barriers,
once, channels, atomics and fences.  A release there is read by any number of acquirers, who learn
nothing from each other: that is what a thread does that knows all its parent knew and then ends.
No analysis may reorder across these edges.

Each messenger is a thread to who analyses the trace, and clocks are as long as there are threads.
So after MOST_MESSENGERS of them a release is written as acq(s) w(s) rel(s), an acquire as
acq(s) r(s) rel(s) with a lock and a variable of the object.

**May miss**: after MOST_MESSENGERS, races of threads that a common sync object seems to order: one
acquires there, the other one acquires or releases afterwards.
**May falsely report**: WCP and SyncP reorder critical sections of mutexes, and cannot know that a
program reads the outcome of trylock or of a timed wait.

Invariant: what comes out is well formed (irsan.traces.well_formed), whatever a program does with
its locks: a lock that is taken from a thread which holds it is first released by that thread.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from irsan.runtime.records.race import trace_records as tr
from irsan.runtime.records.race.lock_records import MODE_WRITE
from irsan.traces.kernels.operations import ACQUIRE, BEGIN, FORK, JOIN, READ, RELEASE, WRITE

MOST_MESSENGERS = 256
_READERS = 1 << 62  # with an address: what readers have released there
_FENCE = 1 << 61  # with a thread number: what its newest release fence has seen


class EventSink(Protocol):
    """Takes events by name."""

    def put(self, thread: str, operation: int, target: str, site: int) -> None: ...

    def n_put(self) -> int:
        """How many events there are so far, of any kind."""


class Token(NamedTuple):
    """What a thread had done at a release: its messenger, or (None) a lock and variable's name."""

    releaser: int
    number: int
    messenger: str | None
    name: str


@dataclass(slots=True)
class Lock:
    """A lock with one writer at a time; `owner` is a thread number."""

    name: str
    owner: int | None = None
    is_shared: bool = False  # readers, or others than its owner, release and acquire there
    is_released: bool = False  # by its owner, as a plain mutex


class Event(NamedTuple):
    """A raw event that is no access."""

    operation: int
    tid: int
    site: int
    address: int
    more: int


@dataclass(slots=True)
class Orders:
    """The state of all locks and sync objects of a run; `take` says what an event is."""

    sink: EventSink
    most_messengers: int = MOST_MESSENGERS
    n_messengers: int = 0
    n_approximate: int = 0  # releases without a messenger
    _n_tokens: int = 0
    _locks: dict[int, Lock] = field(default_factory=dict)
    _lives: dict[int, int] = field(default_factory=dict)
    _released: dict[int, dict[int, Token]] = field(default_factory=dict)
    _known: dict[int, dict[int, int]] = field(default_factory=dict)
    _newest: tuple[int, Token] | None = None  # and how many events there were
    _seen: dict[int, dict[int, Token]] = field(default_factory=dict)
    _fences: dict[int, Token] = field(default_factory=dict)
    _waiting: list[Event] = field(default_factory=list)  # acquires that may belong to a LOCKED
    _alive: set[int] = field(default_factory=set)  # forked and not joined
    _ended: set[int] = field(default_factory=set)

    def take(self, event: Event) -> None:
        """Put out what an event means."""
        if event.operation in (tr.ACQUIRE, tr.ACQUIRE_ALL):
            if self._waiting and self._waiting[0].tid != event.tid:
                self.settle()
            self._waiting.append(event)
            return
        if event.operation == tr.LOCKED:
            self._lock(event)
            return
        self.settle()
        _ACTIONS[event.operation](self, event)

    def settle(self) -> None:
        """Put out the acquires that wait to be seen as part of a lock; before any access."""
        waiting, self._waiting = self._waiting, []
        for event in waiting:
            self._acquire(event, event.address)
            if event.operation == tr.ACQUIRE_ALL:
                self._acquire(event, event.address | _READERS)

    def _lock(self, event: Event) -> None:
        lock = self._lock_at(event.address)
        own = (tr.ACQUIRE, event.address)
        is_plain = all((e.operation, e.address) == own for e in self._waiting)
        if not is_plain or not event.more & MODE_WRITE:
            lock.is_shared = True
        if not lock.is_shared and not self._released.get(event.address):
            self._waiting.clear()  # the lock itself says it
        self.settle()
        if not event.more & MODE_WRITE or lock.owner == event.tid:
            return
        if lock.owner is not None:
            lock = self._taken_away(lock, event)
        self.sink.put(f"T{event.tid}", ACQUIRE, lock.name, event.site)
        lock.owner = event.tid

    def _taken_away(self, lock: Lock, event: Event) -> Lock:
        """The lock at an address whose owner never released it, free again."""
        assert lock.owner is not None
        if lock.owner not in self._ended:
            self._give_up(lock, event.site)
            return lock
        self._forget(event)
        return self._lock_at(event.address)

    def _give_up(self, lock: Lock, site: int) -> None:
        self.sink.put(f"T{lock.owner}", RELEASE, lock.name, site)
        lock.owner, lock.is_released = None, not lock.is_shared

    def _unlocked(self, event: Event) -> None:
        lock = self._locks.get(event.address)
        if lock is not None and lock.owner is not None and lock.owner not in self._ended:
            self._give_up(lock, event.site)

    def _lock_at(self, address: int) -> Lock:
        lock = self._locks.get(address)
        if lock is None:
            lock = self._locks[address] = Lock(self._name(address))
        return lock

    def _name(self, address: int) -> str:
        life = self._lives.get(address, 0)
        return f"{address:x}#{life}" if life else f"{address:x}"

    def _forget(self, event: Event) -> None:
        address = event.address
        self._released.pop(address, None)
        self._released.pop(address | _READERS, None)
        self._locks.pop(address, None)
        self._lives[address] = self._lives.get(address, 0) + 1

    def _clear(self, event: Event) -> None:
        self._released.pop(event.address, None)

    def _acquire(self, event: Event, key: int) -> None:
        lock = self._locks.get(key)
        if lock is not None and lock.is_released and lock.owner is None:
            self.sink.put(f"T{event.tid}", ACQUIRE, lock.name, event.site)
            self.sink.put(f"T{event.tid}", RELEASE, lock.name, event.site)
        for token in self._released.get(key, {}).values():
            self._learn(event, token)

    def _learn(self, event: Event, token: Token) -> None:
        """The running thread comes after a release, unless it knows of it or of a later one."""
        known = self._known.setdefault(event.tid, {})
        if token.releaser == event.tid or known.get(token.releaser, -1) >= token.number:
            return
        thread = f"T{event.tid}"
        if token.messenger is not None:
            known[token.releaser] = token.number
            self.sink.put(thread, JOIN, token.messenger, event.site)
            return
        self._pass_through(thread, READ, token.name, event.site)

    def _pass_through(self, thread: str, operation: int, name: str, site: int) -> None:
        self.sink.put(thread, ACQUIRE, name, site)
        self.sink.put(thread, operation, name, site)
        self.sink.put(thread, RELEASE, name, site)

    def _token(self, event: Event, key: int) -> Token:
        """What the running thread has done so far, for others to learn."""
        if self._newest is not None and self._newest[0] == self.sink.n_put():
            token = self._newest[1]
            if token.releaser == event.tid and token.messenger is not None:
                return token
        self._n_tokens += 1
        messenger, name, thread = None, f"s{self._name(key)}", f"T{event.tid}"
        if self.n_messengers < self.most_messengers:
            self.n_messengers += 1
            messenger = f"m{self.n_messengers}"
            self.sink.put(thread, FORK, messenger, event.site)
            self.sink.put(messenger, BEGIN, "", event.site)
        else:
            self.n_approximate += 1
            self._pass_through(thread, WRITE, name, event.site)
        token = Token(event.tid, self._n_tokens, messenger, name)
        self._newest = self.sink.n_put(), token
        return token

    def _release(self, event: Event) -> None:
        released = self._released.setdefault(event.address, {})
        released[event.tid] = self._token(event, event.address)

    def _release_store(self, event: Event) -> None:
        lock = self._locks.get(event.address)
        self._released.pop(event.address | _READERS, None)
        if lock is not None and lock.owner == event.tid and not lock.is_shared:
            self._released.pop(event.address, None)
            return
        self._released[event.address] = {event.tid: self._token(event, event.address)}

    def _release_read(self, event: Event) -> None:
        key = event.address | _READERS
        self._released.setdefault(key, {})[event.tid] = self._token(event, key)

    def _look(self, event: Event) -> None:
        for token in self._released.get(event.address, {}).values():
            self._seen.setdefault(event.tid, {})[token.releaser] = token

    def _fence_acquire(self, event: Event) -> None:
        for token in self._seen.pop(event.tid, {}).values():
            self._learn(event, token)

    def _fence_release(self, event: Event) -> None:
        self._fences[event.tid] = self._token(event, event.tid | _FENCE)

    def _publish(self, event: Event) -> None:
        token = self._fences.get(event.tid)
        if token is not None:
            self._released.setdefault(event.address, {})[event.tid] = token

    def _finalize(self, event: Event) -> None:
        """All that any thread has done so far comes before what this one does now."""
        for tid in sorted(self._alive - {event.tid}):
            self._learn(event, self._token(event._replace(tid=tid), tid | _FENCE))

    def _fork(self, event: Event) -> None:
        self._alive |= {event.tid, event.address}
        self.sink.put(f"T{event.tid}", FORK, f"T{event.address}", event.site)

    def _join(self, event: Event) -> None:
        self._alive.discard(event.address)
        self.sink.put(f"T{event.tid}", JOIN, f"T{event.address}", event.site)

    def _end_thread(self, event: Event) -> None:
        """Whoever takes a lock that was not given up comes after all that its owner has done."""
        for lock in self._locks.values():
            if lock.owner == event.tid:
                self._give_up(lock, event.site)
        self._ended.add(event.tid)


_ACTIONS = {
    tr.FORGET: Orders._forget,
    tr.RELEASE: Orders._release,
    tr.RELEASE_STORE: Orders._release_store,
    tr.RELEASE_READ: Orders._release_read,
    tr.LOOK: Orders._look,
    tr.FENCE_ACQUIRE: Orders._fence_acquire,
    tr.FENCE_RELEASE: Orders._fence_release,
    tr.PUBLISH: Orders._publish,
    tr.CLEAR: Orders._clear,
    tr.UNLOCKED: Orders._unlocked,
    tr.FORK: Orders._fork,
    tr.JOIN: Orders._join,
    tr.THREAD_END: Orders._end_thread,
    tr.FINALIZE: Orders._finalize,
}
