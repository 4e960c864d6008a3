"""A process in which no Python runs, and which forks a process for each schedule of a host.

    host (Python)                    forker (machine code)            schedule's process
      freeze its memory, clone ------> wait for a byte
      choose, write orders, a byte --> fork ------------------------->  put the orders in place, run
      its number, status <------------ wait for its end <-------------  tell a clean end, or go on
                                                                        in Python

A fork copies an entry for each page that the forking process has touched since its memory was
frozen (frozen_memory.py), and a host that runs Python touches thousands.  The forker touches none,
so it is made by the same machine code that freezes, before anything else can run
(engine/glue/templates/threads/schedules.ll).  It sends no signal when it ends: who waits for any
child, or looks whether there is one, does not see it.

A choice (engine/run/run_guest.py) is made in the host's own copy of the guest, and the words that
it has changed go to the schedule's process: by address in shared memory, with the schedule itself,
pickled, for Python.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import pickle
import signal
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from irsan.engine.linker.native_symbols import host_symbol
from irsan.errors import InternalError
from irsan.explore.fuzzing import MAX_READ_EVENTS
from irsan.explore.processors import MASK_WORDS, mask_of
from irsan.runtime.layout.explore_words import MAX_REST, REST_WORDS
from irsan.runtime.layout.memory_map import CONTEXT_ADDR
from irsan.runtime.records.context import CONTEXT_DTYPE

if TYPE_CHECKING:
    from irsan.engine.guest.machine import Machine
    from irsan.explore.schedules import Schedule

_MASK, _MOST, _CHILD, _RANGES, _PROCESSORS = 5, 6, 7, 8, 9  # words of the orders
_PAIRS: Final = _PROCESSORS + MASK_WORDS
_MAX_MESSAGE_BYTES: Final = 1 << 20
_MESSAGE_AT: Final = 8 * _PAIRS + 16 * (CONTEXT_DTYPE.itemsize // 8 + MAX_REST + 1)
_RANGES_AT: Final = _MESSAGE_AT + _MAX_MESSAGE_BYTES
_MAX_RANGES: Final = 4096
_ORDERS_BYTES: Final = _RANGES_AT + 16 * (_MAX_RANGES + 1)
_PAGE_BYTES: Final = 4096
_MAX_GAP_PAGES: Final = 1  # between pages that are copied in one call
_ALL_CLONES: Final = 0x4000_0000  # __WALL of wait(2)
_STATUS_BYTES: Final = 8
_NONE: Final = -1  # no process


class Forker:
    """The forker of one program that has begun; `start` makes the process.

    replies: what becomes readable when a schedule's process has ended
    """

    def __init__(self, machine: Machine, answers: int) -> None:
        self._machine, self._pid = machine, _NONE
        self._serve: Any = ctypes.PYFUNCTYPE(ctypes.c_int64, *[ctypes.c_uint64] * 4)(
            machine.runtime.symbols["irsan_serve_schedules"]
        )
        self._fork = host_symbol("fork")
        self._orders = mmap.mmap(-1, _ORDERS_BYTES)
        self._words = np.frombuffer(self._orders, np.uint64, _MESSAGE_AT // 8)
        asked, self._requests = os.pipe()
        self.replies, told = os.pipe()
        self._theirs = (asked, told)
        self._words[:5] = asked, told, answers, self._requests, self.replies
        self._words[_RANGES] = self._words.ctypes.data + _RANGES_AT
        words = (ctypes.c_uint64 * (CONTEXT_DTYPE.itemsize // 8)).from_address(CONTEXT_ADDR)
        self._context = np.ctypeslib.as_array(words)
        self._before = self._context.copy()

    @property
    def is_running(self) -> bool:
        """Whether there is a process that forks."""
        return self._pid > 0

    @property
    def is_schedule(self) -> bool:
        """Whether this is a schedule's process, in which Python has to go on."""
        return self._pid == 0

    def start(self, calls: int, n_calls: int, mask: int) -> None:
        """Make system calls, then the process; returns in a schedule's process, too.

        calls: address of their rows (frozen_memory.py);  mask: signals that are blocked otherwise
        """
        self._words[_MASK] = mask
        self._pid = self._serve(calls, n_calls, self._fork, self._words.ctypes.data)
        if not self._pid:
            self._machine.came_back()
            return
        for descriptor in self._theirs:
            os.close(descriptor)

    def may_use(self, processors: Collection[int]) -> None:
        """Schedules' processes may use these, whichever the forker keeps to."""
        self._words[_PROCESSORS:_PAIRS] = mask_of(processors)

    def will_write(self, pages: Sequence[int]) -> None:
        """Python in a schedule's process writes to these: they are copied at once, not one by one.

        pages: their addresses
        """
        words = [word for one in ranges_of(pages)[:_MAX_RANGES] for word in one]
        raw = np.array([*words, 0], np.uint64).tobytes()
        self._orders[_RANGES_AT : _RANGES_AT + len(raw)] = raw

    def ask(
        self, schedule: Schedule, known: Collection[str], tells_pages: bool = False
    ) -> None:
        """Let the schedule that is chosen be played.

        known: keys of findings that need not be told whole
        tells_pages: Python, where it goes on, is to tell the pages that it has copied
        """
        words = self._words
        is_told_whole = schedule.keeps_trace or schedule.is_traced
        words[_MOST] = 0 if is_told_whole else MAX_READ_EVENTS
        words[_CHILD] = 0
        changed = np.flatnonzero(self._context != self._before)
        n_rest = int(self._machine.ctx["explore"]["n_rest"])
        pairs = words[_PAIRS : _PAIRS + 2 * (len(changed) + n_rest) + 1]
        pairs[: 2 * len(changed) : 2] = changed * 8 + CONTEXT_ADDR
        pairs[1 : 2 * len(changed) : 2] = self._context[changed]
        if n_rest:
            rest = (ctypes.c_uint64 * n_rest).from_address(REST_WORDS)
            pairs[2 * len(changed) : -1 : 2] = np.arange(n_rest) * 8 + REST_WORDS
            pairs[2 * len(changed) + 1 :: 2] = rest
        pairs[-1] = 0
        self._put_message((schedule, known, tells_pages))
        os.write(self._requests, b".")

    def _put_message(self, message: object) -> None:
        raw = pickle.dumps(message)
        if len(raw) > _MAX_MESSAGE_BYTES:
            raise InternalError(f"a schedule has {len(raw)} bytes")
        self._orders[_MESSAGE_AT : _MESSAGE_AT + len(raw)] = raw

    def asked(self) -> tuple[Schedule, Collection[str], bool]:
        """In a schedule's process, what `ask` was given."""
        found: tuple[Schedule, Collection[str], bool] = pickle.loads(
            memoryview(self._orders)[_MESSAGE_AT:]
        )
        return found

    def child(self) -> int:
        """The schedule's process, 0 as long as there is none, negative when there can be none."""
        return ctypes.c_int64(int(self._words[_CHILD])).value

    def status(self) -> int:
        """How the schedule's process has ended, as waitpid says it; waits for that."""
        raw = os.read(self.replies, _STATUS_BYTES)
        child = self.child()
        if child <= 0 or len(raw) < _STATUS_BYTES:
            raise InternalError("no process can be forked for a schedule")
        return int.from_bytes(raw, "little")

    def close(self) -> None:
        """End the process."""
        for descriptor in (self._requests, self.replies):
            os.close(descriptor)
        if self.is_running:
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, _ALL_CLONES)
        self._pid = _NONE


def ranges_of(pages: Sequence[int]) -> list[tuple[int, int]]:
    """Addresses and sizes in bytes of ranges that cover pages, and small gaps between them."""
    ranges: list[tuple[int, int]] = []
    for page in sorted(pages):
        lo, size_bytes = ranges[-1] if ranges else (0, 0)
        if ranges and page - lo - size_bytes <= _MAX_GAP_PAGES * _PAGE_BYTES:
            ranges[-1] = (lo, page + _PAGE_BYTES - lo)
        else:
            ranges.append((page, _PAGE_BYTES))
    return ranges
