"""A program that a signal from outside ends: where each of its threads is.

    a time limit of CI, `timeout`, Ctrl-C, a watchdog   kill(2) by another process
    a program's own watchdog                            a timer or a limit of the kernel's
    what it sends itself (abort, raise)                 is its own, and nothing is said here

Nothing is wrong by that alone, so it is no finding: lines in the text of the run, as a goroutine
dump is.  A process that the program has forked is ended by its parent as a rule: only
`dump_threads=2` makes it say where it was.

Source: siginfo_t, sigaction(2) (si_code, si_pid).
"""

from __future__ import annotations

import os
import signal
from typing import Any, Final

from irsan.engine.findings.blocked_threads import StackToFrames, alive_threads, finding_of_waits
from irsan.engine.findings.crash import Crash
from irsan.engine.guest.machine import Machine
from irsan.reports.model.report import Finding

NEVER: Final = 0
ALWAYS_STACKS: Final = 2
_WATCHDOGS: Final = (signal.SIGALRM, signal.SIGVTALRM, signal.SIGPROF, signal.SIGXCPU)
_DUMPS: Final = (signal.SIGQUIT, signal.SIGABRT)  # sent to learn what the program does
_SENT: Final = (0, -1, -6)  # SI_USER, SI_QUEUE, SI_TKILL: a process has sent it


def is_from_outside(crash: Crash) -> bool:
    """Whether another process, or a watchdog, has sent the signal that ends the program."""
    if crash.signal in _WATCHDOGS:
        return True
    return crash.code in _SENT and crash.sender != os.getpid()


def tells_of_end(ctx: Any, crash: Crash, level: int) -> bool:
    """Whether a program that this signal ends says where its threads are.

    level: the flag dump_threads
    """
    if level == NEVER or not is_from_outside(crash):
        return False
    return level >= ALWAYS_STACKS or not int(ctx["outside"]["is_child"])


def shows_stacks(crash: Crash, level: int) -> bool:
    """Whether each thread's whole stack is shown, or its place alone."""
    return level >= ALWAYS_STACKS or crash.signal in _DUMPS


def end_finding(machine: Machine, stack_to_frames: StackToFrames) -> Finding:
    """Each thread's stack and what it waits for, in the form of a deadlock's report."""
    threads = sorted(alive_threads(machine), key=lambda thread: int(thread["tid"]))
    return finding_of_waits(machine, threads, stack_to_frames)


def sender_in_words(crash: Crash) -> str:
    """`SIGTERM from process 1234`, `SIGALRM`."""
    is_sent = crash.code in _SENT and crash.sender not in (0, os.getpid())
    return f"{crash.signal_name} from process {crash.sender}" if is_sent else crash.signal_name
