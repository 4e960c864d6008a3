"""The race report that is being delivered, as the program may ask about it.

A report is a handle; what it holds is numbered from 0: memory accesses, stacks, locations, mutexes,
threads.  Results go where the caller's pointers say; null pointers are skipped.  Texts that the
program gets stay in its heap until it ends.

Source: ThreadSanitizer's tsan_debugging.cpp for what each function promises.
Deviation: an index that is too big gives 0 where the original ends the program.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from irsan.engine.guest.guest_texts import GuestTexts
from irsan.reports.model.kinds import find_kind
from irsan.reports.model.locations import LibraryState
from irsan.reports.model.report import (
    FileDescriptor,
    Finding,
    Frame,
    GlobalVariable,
    HeapRegion,
    Location,
    Stack,
    ThreadFacts,
    TlsBlock,
)

if TYPE_CHECKING:
    from irsan.engine.guest.machine import Machine

def _write(at: int, kind: Any, value: int) -> None:
    if at:
        kind.from_address(at).value = value


def _number(thread: str) -> int:
    """Thread number of `T3`, -1 for a thread that is not known."""
    return int(thread[1:]) if thread[1:].isdigit() else -1


class RaceReports:
    """What the program may learn about the report that is being delivered."""

    def __init__(self) -> None:
        self.remember: Callable[[Sequence[Frame]], None] = lambda _frames: None
        self.external_tag = 0
        self._handle = ctypes.create_string_buffer(1)
        self._finding: Finding | None = None
        self._texts = GuestTexts()

    def begin(self, finding: Finding) -> int:
        """A report is about to be delivered to the program: its handle."""
        self._finding = finding
        return ctypes.addressof(self._handle)

    def end(self) -> None:
        """The program has heard of it."""
        self._finding = None

    def current(self, _machine: Machine, _arguments: Sequence[int]) -> int:
        """__tsan_get_current_report."""
        return 0 if self._finding is None else ctypes.addressof(self._handle)

    def data(self, machine: Machine, arguments: Sequence[int]) -> int:
        """__tsan_get_report_data: the kind, and how many there are of everything."""
        finding = self._finding
        if finding is None:
            return 0
        kind_at = self._texts.address(machine, short_kind(finding.kind))
        _write(arguments[1], ctypes.c_uint64, kind_at)
        counts = (
            0,
            len(_stacks(finding)),
            len(_accesses(finding)),
            len(finding.locations),
            len(finding.mutexes),
            len(threads_of(finding)),
            len(threads_of(finding)),
        )
        for at, count in zip(arguments[2:9], counts, strict=True):
            _write(at, ctypes.c_int32, count)
        return 1

    def tag(self, _machine: Machine, arguments: Sequence[int]) -> int:
        """__tsan_get_report_tag: the tag of the external object, 0 for any other race."""
        _write(arguments[1], ctypes.c_uint64, self.external_tag)
        return int(self._finding is not None)

    def stack(self, _machine: Machine, arguments: Sequence[int]) -> int:
        """__tsan_get_report_stack: a stack that belongs to no access."""
        rows = _stacks(self._finding)
        if arguments[1] >= len(rows):
            return 0
        self._trace(rows[arguments[1]], arguments[2], arguments[3])
        return 1

    def access(self, _machine: Machine, arguments: Sequence[int]) -> int:
        """__tsan_get_report_mop: an access; 0 is the later one."""
        rows = _accesses(self._finding)
        index, tid_at, addr_at, size_at, write_at, atomic_at, trace_at, limit = arguments[1:9]
        if index >= len(rows) or self._finding is None:
            return 0
        found = rows[index]
        _write(tid_at, ctypes.c_int32, _number(found.thread))
        _write(addr_at, ctypes.c_uint64, found.address)
        _write(size_at, ctypes.c_int32, found.size)
        _write(write_at, ctypes.c_int32, int(found.operation.endswith("write")))
        _write(atomic_at, ctypes.c_int32, int(found.operation.startswith("atomic")))
        self._trace(self._finding.stack("previous" if index else "access"), trace_at, limit)
        return 1

    def location(self, machine: Machine, arguments: Sequence[int]) -> int:
        """__tsan_get_report_loc: what lies at the address."""
        finding = self._finding
        index, type_at, addr_at, start_at, size_at, tid_at, fd_at, hidden_at = arguments[1:9]
        if finding is None or index >= len(finding.locations):
            return 0
        found = finding.locations[index]
        stack = finding.stack("allocation", subject=index)
        owner = getattr(found, "thread", stack.thread if stack else "T0")
        _write(type_at, ctypes.c_uint64, self._texts.address(machine, location_type(found)))
        _write(addr_at, ctypes.c_uint64, found.lo if isinstance(found, GlobalVariable) else 0)
        region = (found.region_lo, found.size_bytes) if isinstance(found, HeapRegion) else (0, 0)
        _write(start_at, ctypes.c_uint64, region[0])
        _write(size_at, ctypes.c_uint64, region[1])
        _write(tid_at, ctypes.c_int32, _number(owner))
        _write(fd_at, ctypes.c_int32, found.number if isinstance(found, FileDescriptor) else 0)
        _write(hidden_at, ctypes.c_int32, 0)
        self._trace(stack, arguments[9], arguments[10])
        return 1

    def object_type(self, machine: Machine, arguments: Sequence[int]) -> int:
        """__tsan_get_report_loc_object_type: what the tag of a block says that it holds."""
        finding = self._finding
        if finding is None or arguments[1] >= len(finding.locations):
            return 0
        found = finding.locations[arguments[1]]
        text = found.object_type if isinstance(found, HeapRegion) else ""
        _write(arguments[2], ctypes.c_uint64, self._texts.address(machine, text))
        return 1

    def mutex(self, _machine: Machine, arguments: Sequence[int]) -> int:
        """__tsan_get_report_mutex: its number, place, and where it was made."""
        finding = self._finding
        index, id_at, addr_at, destroyed_at, trace_at, limit = arguments[1:7]
        if finding is None or index >= len(finding.mutexes):
            return 0
        found = finding.mutexes[index]
        _write(id_at, ctypes.c_uint64, _number(found.name))
        _write(addr_at, ctypes.c_uint64, found.address)
        _write(destroyed_at, ctypes.c_int32, int(found.destroyed))
        self._trace(finding.stack("mutex-creation", mutex=found.name), trace_at, limit)
        return 1

    def thread(self, machine: Machine, arguments: Sequence[int]) -> int:
        """__tsan_get_report_thread: who took part, the running thread first."""
        rows = threads_of(self._finding)
        index, tid_at, os_at, running_at, name_at, parent_at, trace_at, limit = arguments[1:9]
        if self._finding is None or index >= len(rows):
            return 0
        found = rows[index]
        _write(tid_at, ctypes.c_int32, _number(found.thread))
        _write(os_at, ctypes.c_uint64, found.os_tid or os.getpid())
        _write(running_at, ctypes.c_int32, int(found.status == "running"))
        _write(name_at, ctypes.c_uint64, self._texts.address(machine, found.name))
        _write(parent_at, ctypes.c_int32, _number(found.created_by))
        self._trace(self._finding.stack("thread-creation", thread=found.thread), trace_at, limit)
        return 1

    def unique_tid(self, _machine: Machine, arguments: Sequence[int]) -> int:
        """__tsan_get_report_unique_tid: the number of a thread that took part."""
        rows = threads_of(self._finding)
        if arguments[1] >= len(rows):
            return 0
        _write(arguments[2], ctypes.c_int32, _number(rows[arguments[1]].thread))
        return 1

    def _trace(self, stack: Stack | None, at: int, limit: int) -> None:
        """Program counters of a stack, and a zero behind them if there is room."""
        if not at or not limit:
            return
        frames = stack.frames if stack else ()
        self.remember(frames)
        counters = [frame.pc for frame in frames][:limit]
        for index, pc in enumerate([*counters, 0][:limit]):
            ctypes.c_uint64.from_address(at + 8 * index).value = pc



def short_kind(kind: str) -> str:
    """The word that debuggers know a kind of finding by."""
    known = find_kind("ThreadSanitizer", kind)
    return (known.short if known is not None else "") or kind


def location_type(location: Location) -> str:
    """The word that debuggers know a kind of place by."""
    if isinstance(location, HeapRegion):
        return "heap"
    if isinstance(location, TlsBlock):
        return "tls"
    if isinstance(location, FileDescriptor):
        return "fd"
    return "global" if isinstance(location, GlobalVariable | LibraryState) else "stack"


def threads_of(finding: Finding | None) -> list[ThreadFacts]:
    """Everybody who took part: whoever accessed first, the main thread included."""
    if finding is None:
        return []
    names = [each.thread for each in _accesses(finding)] or [finding.thread]
    names += [facts.thread for facts in finding.threads]
    return [finding.thread_facts(name) or ThreadFacts(name) for name in dict.fromkeys(names)]


def _accesses(finding: Finding | None) -> list[Any]:
    if finding is None:
        return []
    return [each for each in (finding.access, finding.previous_access) if each is not None]


def _stacks(finding: Finding | None) -> list[Stack]:
    """Stacks that belong to no access."""
    if finding is None or finding.access is not None:
        return []
    return [stack for stack in finding.stacks if stack.role in ("access", "previous")]
