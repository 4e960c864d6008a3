"""What a program may ask about its own run: stacks, reports, places in memory.

Serves the host routines of `irsan.interceptors.public_interface.sanitizer_host`; arguments are the
words the program passed, results are words.  Texts that the program gets stay in its heap until it
ends.

Source: sanitizer/asan_interface.h and common_interface_defs.h for what each function promises.
Deviation: the program counters in stacks stand for places in the source, not for machine code.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from irsan.engine.findings.findings import FindingsRecorder
from irsan.engine.findings.guest_callbacks import GuestCallbacks
from irsan.engine.findings.heap_profile import profile_rows
from irsan.engine.findings.races.race_reports import location_type
from irsan.engine.findings.run_symbols import RunSymbols, read_text, write_text
from irsan.engine.guest.guest_texts import GuestTexts
from irsan.engine.reporting.report_extras import allocator_statistics
from irsan.engine.run.external_code import ExternalCode
from irsan.engine.run.openmp_words import OpenmpWords
from irsan.engine.run.shadow_text import ShadowText
from irsan.reports.model.report import (
    Finding,
    Frame,
    GlobalVariable,
    HeapRegion,
    Location,
    Stack,
    StackLocation,
    ThreadStack,
)
from irsan.reports.text.frames import format_memory_stack
from irsan.reports.text.locations import describe_location
from irsan.runtime import arena
from irsan.runtime.diagnosis.describe import describe_address
from irsan.runtime.layout import memory_map
from irsan.runtime.views.heap_view import Chunk, addr_to_chunk

if TYPE_CHECKING:
    from irsan.engine.findings.host_events import GuestEvents
    from irsan.engine.guest.guest_link import LinkedProgram
    from irsan.engine.guest.machine import Machine

_TOOL: Final = "AddressSanitizer"
_STACK_FRAMES_LIMIT: Final = 256


class RunInterface:
    """The answers of one run."""

    def __init__(
        self,
        recorder: FindingsRecorder,
        callbacks: GuestCallbacks,
        symbols: RunSymbols,
        events: GuestEvents,
        external_code: ExternalCode,
    ) -> None:
        self._recorder, self._places = recorder, events.places
        self.callbacks, self.symbols = callbacks, symbols
        self.expected, self.tags = events.expected, events.tags
        self.race_reports, self.undefined = callbacks.race_reports, events.undefined
        self.external_code = external_code
        self.last_words = events.last_words
        self.shadow_text = ShadowText(recorder, events.places, events.origin_story)
        self.openmp = OpenmpWords(recorder.write)
        self._texts = GuestTexts()

    def print_statistics(self, machine: Machine, _arguments: Sequence[int]) -> None:
        """Counts of the allocator."""
        self._write(allocator_statistics(machine.ctx))

    def print_memory_profile(self, machine: Machine, arguments: Sequence[int]) -> None:
        """The allocation stacks that hold the most live bytes."""
        style = self._recorder.style(_TOOL)
        top_percent, max_contexts = arguments[:2]
        frames = self._places.stack_to_frames
        self._write(list(profile_rows(machine.ctx, top_percent, max_contexts, frames, style)))

    def print_stack_trace(self, machine: Machine, _arguments: Sequence[int]) -> None:
        """The calls in progress of the running thread."""
        stack_id = machine.runtime.kernel("current_stack_id") & 0xFFFF_FFFF
        stack = Stack("access", "T0", self._places.stack_to_frames(stack_id))
        self._write(format_memory_stack(stack, self._recorder.style(_TOOL)))

    def report_error_summary(self, _machine: Machine, arguments: Sequence[int]) -> None:
        """One SUMMARY line with the program's words."""
        self._write([f"SUMMARY: {read_text(arguments[0])}"])

    def set_report_path(self, _machine: Machine, arguments: Sequence[int]) -> None:
        """Reports go to a file of this name and the pid, or to stderr, stdout."""
        self._recorder.redirect(read_text(arguments[0]) if arguments[0] else "")

    def set_report_fd(self, _machine: Machine, arguments: Sequence[int]) -> None:
        """Reports go to an open file descriptor."""
        descriptor = arguments[0] & 0xFFFF_FFFF
        standard = {1: "stdout", 2: "stderr"}
        self._recorder.redirect(standard.get(descriptor, ""), descriptor)

    def get_report_path(self, machine: Machine, _arguments: Sequence[int]) -> int:
        """Name of the file that reports go to, "stderr" when there is none."""
        return self._texts.address(machine, self._recorder.report_path())

    def describe_address(self, _machine: Machine, arguments: Sequence[int]) -> None:
        """The lines about an address that a report has."""
        found = describe_address(self._places, arguments[0])
        finding = Finding(
            tool=_TOOL, kind="", thread="T0", stacks=found.stacks, locations=(found.location,)
        )
        self._write(describe_location(finding, 0, self._recorder.style(_TOOL)))

    def locate_address(self, machine: Machine, arguments: Sequence[int]) -> int:
        """Category of an address; its variable's name and region go where the caller says."""
        addr, name_at, name_bytes, region_at, size_at = arguments[:5]
        shadow_part = _shadow_part(addr)
        if shadow_part:
            return self._texts.address(machine, shadow_part)
        location = describe_address(self._places, addr).location
        category, name, lo, size_bytes = _location_facts(location)
        if name_at and name_bytes:
            raw = name.encode()[: name_bytes - 1] + b"\0"
            ctypes.memmove(name_at, raw, len(raw))
        for at, word in ((region_at, lo), (size_at, size_bytes)):
            if at:
                ctypes.c_uint64.from_address(at).value = word
        return self._texts.address(machine, category)

    def java_fini(self, _machine: Machine, _arguments: Sequence[int]) -> int:
        """__tsan_java_fini: the exit status that the findings so far ask for, 0 without any."""
        return self._recorder.status_of_findings()

    def get_alloc_stack(self, _machine: Machine, arguments: Sequence[int]) -> int:
        """Stack of the allocation of the block around an address, as program counters."""
        return self._chunk_stack(arguments, lambda chunk: (chunk.alloc_stack, chunk.alloc_tid))

    def race_locate_address(self, machine: Machine, arguments: Sequence[int]) -> int:
        """__tsan_locate_address: as locate_address, in the words of the race detector."""
        addr, name_at, name_bytes, region_at, size_at = arguments[:5]
        location = describe_address(self._places, addr).location
        _, name, lo, size_bytes = _location_facts(location)
        kind = "shadow" if _shadow_part(addr) else location_type(location)
        if kind == "stack":
            name, lo, size_bytes = "", 0, 0
        write_text(name_at, name_bytes, name)
        for at, word in ((region_at, lo), (size_at, size_bytes)):
            if at:
                ctypes.c_uint64.from_address(at).value = word
        return self._texts.address(machine, kind)

    def race_alloc_stack(self, machine: Machine, arguments: Sequence[int]) -> int:
        """__tsan_get_alloc_stack: the stack, and both numbers of the thread."""
        count = self.get_alloc_stack(machine, arguments)
        if count and arguments[4]:
            tid = ctypes.c_uint32.from_address(arguments[3]).value if arguments[3] else 0
            ctypes.c_uint64.from_address(arguments[4]).value = tid or os.getpid()
        return count

    def get_free_stack(self, _machine: Machine, arguments: Sequence[int]) -> int:
        """Stack of the free of the block around an address."""
        return self._chunk_stack(arguments, lambda chunk: (chunk.free_stack, chunk.free_tid))

    def report_fact(self, machine: Machine, name: str) -> int:
        """One fact of the newest finding; 0 when there is none."""
        if not self._recorder.findings:
            return 0
        finding = self._recorder.findings[-1]
        access = finding.access
        self.symbols.remember([f for s in finding.stacks[:1] for f in s.frames])
        if name == "description":
            return self._texts.address(machine, finding.kind)
        facts = {
            "present": 1,
            "pc": finding.pc,
            "bp": finding.bp,
            "sp": finding.sp,
            "address": finding.address or 0,
            "is_write": int(access is not None and "write" in access.operation),
            "size_bytes": (access.size or 0) if access is not None else 0,
        }
        return facts[name]

    def _chunk_stack(
        self, arguments: Sequence[int], choose: Callable[[Chunk], tuple[int, int]]
    ) -> int:
        addr, trace_at, limit, thread_at = arguments[:4]
        chunk = addr_to_chunk(self._places.ctx, addr)
        if chunk is None or not chunk.sequence:
            return 0
        stack_id, tid = choose(chunk)
        frames = self._places.stack_to_frames(stack_id)[: min(limit, _STACK_FRAMES_LIMIT)]
        self.symbols.remember(frames)
        counters = [frame.pc for frame in frames]
        arena.view_words(trace_at, len(counters))[:] = counters
        if thread_at:
            ctypes.c_uint32.from_address(thread_at).value = tid
        return len(counters)

    def _write(self, lines: list[str]) -> None:
        self._recorder.write("\n".join([*lines, ""]))


def function_frame(program: LinkedProgram, module: str, word: int) -> Frame:
    """The function whose address lies in the header of a stack frame."""
    name, file, line = program.function_name(word)
    return Frame(name, file, line, 0, word, module, word - memory_map.PROGRAM_CODE_LO)


def _shadow_part(addr: int) -> str:
    """Name of the part of the address shadow in which `addr` lies; "" outside of it."""
    is_low = memory_map.SHADOW_OFFSET <= addr < memory_map.STACKS_LO
    if not is_low and not memory_map.ARENA_HI <= addr < memory_map.SHADOW_HI:
        return ""
    owner = (addr - memory_map.SHADOW_OFFSET) << 3
    is_its_own = memory_map.SHADOW_OFFSET <= owner < memory_map.STACKS_LO
    return "shadow gap" if is_its_own else "high shadow"


def _location_facts(location: Location) -> tuple[str, str, int, int]:
    """Category, name, start and size of a place, as __asan_locate_address gives them."""
    if isinstance(location, HeapRegion):
        return "heap", "", location.region_lo, location.size_bytes
    if isinstance(location, GlobalVariable):
        return "global", location.name, location.lo, location.size_bytes
    if isinstance(location, StackLocation):
        offset = location.offset
        for item in location.objects:
            if item.begin <= offset < item.end:
                lo = location.address - offset + item.begin
                return "stack", item.name, lo, item.end - item.begin
        return "stack", "", location.address, 0
    if isinstance(location, ThreadStack):
        return "stack", "", location.address, 0
    return "invalid", "", 0, 0
