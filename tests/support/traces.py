"""Random traces that a real execution could have left, small enough for naive oracles."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from hypothesis import strategies as st


class Event(NamedTuple):
    """One event, by name; its location is its 1-based number unless somebody says else."""

    thread: str
    op: str
    target: str


Events = list[Event]


@dataclass
class Execution:
    """A simulated execution: what is asked of it and cannot be done is left out."""

    n_threads: int
    n_locks: int
    n_variables: int
    events: Events = field(default_factory=list)
    holder: dict[str, str] = field(default_factory=dict)
    begun: set[str] = field(default_factory=set)
    joined: set[str] = field(default_factory=set)

    def step(self, who: int, what: int) -> None:
        """Thread `who` tries to do what a number says: mostly access, often lock, rarely fork."""
        thread = f"T{who % self.n_threads}"
        if thread in self.joined:
            return
        kind, which = what % 16, what // 16
        if kind < 8:
            self._add(thread, "w" if kind < 4 else "r", f"x{which % self.n_variables}")
        elif kind < 14:
            self._lock(thread, f"l{which % self.n_locks}")
        else:
            self._other(thread, f"T{which % self.n_threads}", is_fork=kind == 14)

    def _lock(self, thread: str, lock: str) -> None:
        if lock not in self.holder:
            self.holder[lock] = thread
            self._add(thread, "acq", lock)
        elif self.holder[lock] == thread:
            del self.holder[lock]
            self._add(thread, "rel", lock)

    def _other(self, thread: str, other: str, *, is_fork: bool) -> None:
        if other == thread or other in self.joined:
            return
        if is_fork and other not in self.begun:
            self.begun.add(other)
            self._add(thread, "fork", other)
        elif not is_fork and other in self.begun and other not in self.holder.values():
            self.joined.add(other)
            self._add(thread, "join", other)

    def _add(self, thread: str, op: str, target: str) -> None:
        self.begun.add(thread)
        self.events.append(Event(thread, op, target))


def execution(data: bytes, n_threads: int = 3, n_locks: int = 2, n_variables: int = 2) -> Events:
    """The events that a string of bytes describes, two for each."""
    made = Execution(n_threads, n_locks, n_variables)
    for who, what in zip(data[::2], data[1::2], strict=False):
        made.step(who, what)
    return made.events


def executions(
    max_events: int, n_threads: int = 3, n_locks: int = 2, n_variables: int = 2
) -> st.SearchStrategy[Events]:
    """Executions of at most so many events."""
    data = st.binary(max_size=2 * max_events)
    return data.map(lambda d: execution(d, n_threads, n_locks, n_variables))


def to_std(events: Events) -> str:
    """The trace as STD text; the location of an event is its number."""
    return "".join(f"{e.thread}|{e.op}({e.target})|{i}\n" for i, e in enumerate(events, 1))


def parse_std(text: str) -> Events:
    """Events of STD text, one a line, blanks around it ignored; locations are not looked at."""
    lines = [line.strip() for line in text.strip().splitlines()]
    fields = [line.split("|") for line in lines]
    return [Event(f[0], f[1].partition("(")[0], f[1].partition("(")[2][:-1]) for f in fields]


def write_std(folder: Path, events: Events) -> Path:
    """A file with the trace."""
    path = folder / "trace.std"
    path.write_text(to_std(events))
    return path
