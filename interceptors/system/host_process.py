"""Interceptors that Python serves on the host's stack: fork, pthread_atfork, a process's end.

The child is a copy of the whole process, this one included; only the thread that forked goes on
there, as POSIX has it, and the child reports its own findings.  Locks that other threads held stay
held.  `vfork` is a fork: the parent does not wait, and no handler runs.  Handlers of pthread_atfork
run in the program: `prepare` in reverse order, in the thread that forks, the others as registered.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from errno import EAGAIN
from typing import Any, Protocol

from irsan.interceptors.registry import Export
from irsan.interceptors.system import abort_assert


class ForkableGuest(Protocol):
    """What a routine may ask of the machine."""

    fork_handlers: list[tuple[int, int, int]]

    def call_guest(self, function: int) -> int:
        """Call a function of the program."""

    def give_errno(self, number: int) -> None:
        """What errno is behind a call that has failed."""

    def become_child(self) -> None:
        """This process is the child now: forget the other threads and what was found."""

    def become_parent(self) -> None:
        """This process has a child now, which may have what threads here wait for."""


def _call_all(machine: ForkableGuest, functions: Iterable[int]) -> None:
    for function in functions:
        if function:
            machine.call_guest(function)


def atfork(machine: ForkableGuest, arguments: Sequence[int]) -> int:
    """pthread_atfork: functions to call before a fork, and after it in parent and child."""
    prepare, parent, child = arguments[:3]
    machine.fork_handlers.append((prepare, parent, child))
    return 0


def fork(machine: ForkableGuest, arguments: Sequence[int]) -> int:
    """fork: as vfork, with the handlers of pthread_atfork around it."""
    handlers = list(machine.fork_handlers)
    _call_all(machine, (prepare for prepare, _, _ in reversed(handlers)))
    child = vfork(machine, arguments)
    _call_all(machine, (row[1 if child else 2] for row in handlers))
    return child


def vfork(machine: ForkableGuest, _arguments: Sequence[int]) -> int:
    """vfork: the child's pid, 0 in the child, -1 when the system refuses."""
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        child = os.fork()
    except OSError as error:
        machine.give_errno(error.errno or EAGAIN)
        return -1
    if child == 0:
        machine.become_child()
    else:
        machine.become_parent()
    return child


EXPORTS = (
    Export("i32 fork()", host="fork"),
    Export("i32 vfork()", host="vfork"),
    Export("i32 pthread_atfork(ptr,ptr,ptr)", host="atfork"),
    Export("i32 __register_atfork(ptr,ptr,ptr,ptr)", host="atfork"),
    *abort_assert.EXPORTS,
)
ROUTINES: Mapping[str, Callable[[Any, Sequence[int]], int]] = {
    **abort_assert.ROUTINES,
    "fork": fork,
    "vfork": vfork,
    "atfork": atfork,
}
