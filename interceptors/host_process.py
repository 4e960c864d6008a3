"""Interceptors that Python serves on the host's stack: fork.

The child is a copy of the whole process, this one included; only the thread that forked goes on
there, as POSIX has it, and the child reports its own findings.  Locks that other threads held stay
held.  `vfork` is a fork: the parent does not wait.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from irsan.interceptors.registry import Export


class ForkableGuest(Protocol):
    """What a routine may ask of the machine."""

    def become_child(self) -> None:
        """This process is the child now: forget the other threads and what was found."""


def fork(machine: ForkableGuest, _arguments: Sequence[int]) -> int:
    """fork: the child's pid, 0 in the child, -1 when the system refuses."""
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        child = os.fork()
    except OSError:
        return -1
    if child == 0:
        machine.become_child()
    return child


EXPORTS = (Export("i32 fork()", host="fork"), Export("i32 vfork()", host="fork"))
ROUTINES: Mapping[str, Callable[[ForkableGuest, Sequence[int]], int]] = {"fork": fork}
