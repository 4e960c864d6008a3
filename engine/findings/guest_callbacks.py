"""Functions of the program that irsan calls: malloc hooks, report and death callbacks.

    before a report    __asan_on_error(), __ubsan_on_report()
    after a report     the program's own __sanitizer_report_error_summary(text) prints the SUMMARY
                       line instead of us; the error report callback gets the report's text, and
                       the death callback is called when the program ends by it
                       __tsan_on_report(report) for the race detector, which may ask about it
    start, end         __tsan_on_initialize(); __tsan_on_finalize(failed), which may say otherwise
    malloc, free       __sanitizer_malloc_hook and similar, and up to five installed pairs
    strcmp and others  __sanitizer_weak_hook_*: the glue calls them (weak_hooks.py), as it
    static guards      does __tsan::OnPotentiallyBlockingRegionBegin and End

They run in the guest, on the stack of the thread that made the call (`Machine.call_guest`).

Source: sanitizer/asan_interface.h, allocator_interface.h, common_interface_defs.h.
Deviations: nothing runs when the stack of the thread is exhausted; what a hook allocates itself is
passed to none.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from irsan.engine.findings.findings import FindingsRecorder
from irsan.engine.findings.races.race_reports import RaceReports
from irsan.engine.guest.machine import Served
from irsan.reports.model.report import Finding
from irsan.runtime import arena
from irsan.runtime.layout.hook_words import HOOKED, WAIT_SYMBOLS, hook_symbol
from irsan.runtime.layout.interface_words import WATCH_HOOKS
from irsan.runtime.records.memory.heap_records import CHUNK_DTYPE, MALLOC
from irsan.runtime.views.heap_view import addr_to_chunk

if TYPE_CHECKING:
    from irsan.engine.guest.machine import Machine

_MAX_PAIRS: Final = 5
_WEAK_MALLOC: Final = "__sanitizer_malloc_hook"
_WEAK_FREE: Final = "__sanitizer_free_hook"
_WEAK_IGNORE: Final = "__sanitizer_ignore_free_hook"
_WEAK_ON_ERROR: Final = "__asan_on_error"
_WEAK_SUMMARY: Final = "__sanitizer_report_error_summary"
_WEAK_ON_CHECK: Final = "__ubsan_on_report"
_WEAK_ON_RACE: Final = "__tsan_on_report"
_WEAK_ON_START: Final = "__tsan_on_initialize"
_WEAK_ON_END: Final = "__tsan_on_finalize"
_INT_MASK: Final = 0xFFFF_FFFF
_NEEDED_BYTES: Final = 64 << 10  # of stack, for a function of the program


class GuestCallbacks:
    """What one program has installed, or defines by name."""

    def __init__(self, recorder: FindingsRecorder, symbols: Mapping[str, int]) -> None:
        """`symbols`: the program's own."""
        self._recorder = recorder
        self._symbols = symbols
        self._on_error = symbols.get(_WEAK_ON_ERROR, 0)
        self._summary = symbols.get(_WEAK_SUMMARY, 0)
        self._ignore = symbols.get(_WEAK_IGNORE, 0)
        self._malloc_hooks = [symbols.get(_WEAK_MALLOC, 0)]
        self._free_hooks = [symbols.get(_WEAK_FREE, 0)]
        self.race_reports = RaceReports()
        self._on_race = symbols.get(_WEAK_ON_RACE, 0)
        self._error_report = 0
        self._death = 0
        self._is_busy = False
        self._texts: list[ctypes.Array[ctypes.c_char]] = []

    def start(self, machine: Machine) -> None:
        """Watch the heap when the program defines a hook by name; the glue learns of the others."""
        for number, name in enumerate(HOOKED):
            machine.ctx["interface"]["weak_hooks"][number] = self._symbols.get(hook_symbol(name), 0)
        for word, name in WAIT_SYMBOLS.items():
            is_told = self._recorder.is_asked_for("thread")
            machine.ctx["interface"][word] = self._symbols.get(name, 0) if is_told else 0
        if self._summary and self._recorder.flags.asan.get_bool("print_summary"):
            self._recorder.leave_summaries()
        else:
            self._summary = 0
        if self._malloc_hooks[0] or self._free_hooks[0] or self._ignore:
            machine.ctx["interface"]["watches"] |= WATCH_HOOKS

    @property
    def knows_of_run(self) -> bool:
        """Whether the program is told that its run begins or ends."""
        return any(name in self._symbols for name in (_WEAK_ON_START, _WEAK_ON_END))

    def install_hooks(self, machine: Machine, arguments: Sequence[int]) -> int:
        """__sanitizer_install_malloc_and_free_hooks: how many there are, 0 when no more fit."""
        if len(self._malloc_hooks) > _MAX_PAIRS:
            return 0
        self._malloc_hooks.append(arguments[0])
        self._free_hooks.append(arguments[1])
        machine.ctx["interface"]["watches"] |= WATCH_HOOKS
        return len(self._malloc_hooks) - 1

    def set_error_report_callback(self, _machine: Machine, arguments: Sequence[int]) -> None:
        """__asan_set_error_report_callback; 0 takes it away."""
        self._error_report = arguments[0]

    def set_death_callback(self, _machine: Machine, arguments: Sequence[int]) -> None:
        """__asan_set_death_callback, __sanitizer_set_death_callback."""
        self._death = arguments[0]

    def allocated(self, machine: Machine, addr: int, size_bytes: int, old_addr: int) -> None:
        """A block was handed out; by realloc, `old_addr` was freed for it."""
        for hook in self._malloc_hooks:
            self._call(machine, hook, addr, size_bytes)
        if old_addr:
            for hook in self._free_hooks:
                self._call(machine, hook, old_addr)

    def freeing(self, machine: Machine) -> Served:
        """A block is about to be freed; the result says whether it is."""
        addr = int(machine.ctx["event"]["args"][0])
        if self._call(machine, self._ignore, addr) & _INT_MASK:
            machine.ctx["interface"]["announced"] = 0
            _may_be_freed_by_free(machine.ctx, addr)
            return Served(result=0)
        for hook in self._free_hooks:
            self._call(machine, hook, addr)
        machine.ctx["interface"]["announced"] = addr
        return Served(result=1)

    def before_report(self, machine: Machine, finding: Finding, sp: int) -> None:
        """A finding is about to be printed; sp: end of the thread's stack after a native fault."""
        if finding.tool == "AddressSanitizer":
            self._call(machine, self._on_error, sp=sp)
        elif finding.tool == "UndefinedBehaviorSanitizer":
            self._call(machine, self._symbols.get(_WEAK_ON_CHECK, 0), sp=sp)

    def after_report(self, machine: Machine, finding: Finding, *, ends: bool, sp: int) -> None:
        """A finding was reported; sp: where the thread's stack ends after a native fault."""
        if finding.tool == "AddressSanitizer":
            if self._summary:
                words = ctypes.create_string_buffer(self._recorder.summary_of(finding).encode())
                self._texts.append(words)
                self._call(machine, self._summary, ctypes.addressof(words), sp=sp)
            if self._error_report:
                text = ctypes.create_string_buffer(self._recorder.text_of(finding).encode())
                self._texts.append(text)
                self._call(machine, self._error_report, ctypes.addressof(text), sp=sp)
        if finding.tool == "ThreadSanitizer" and self._on_race:
            self._call(machine, self._on_race, self.race_reports.begin(finding), sp=sp)
            self.race_reports.end()
        if ends:
            self._call(machine, self._death, sp=sp)

    def initialised(self, machine: Machine) -> None:
        """The race detector is ready, the program has not begun: __tsan_on_initialize."""
        if self._recorder.is_asked_for("thread"):
            self._call(machine, self._symbols.get(_WEAK_ON_START, 0))

    def finished(self, machine: Machine) -> None:
        """The program has ended: __tsan_on_finalize says whether it has failed."""
        function = self._symbols.get(_WEAK_ON_END, 0)
        if function and self._recorder.is_asked_for("thread"):
            has_failed = self._recorder.has_races
            self._recorder.has_races = bool(
                self._call(machine, function, int(has_failed)) & _INT_MASK
            )

    def call(self, machine: Machine, function: int, first: int, second: int) -> int:
        """Call a function of the program, 0 when that cannot be now."""
        return self._call(machine, function, first, second)

    def _call(
        self, machine: Machine, function: int, first: int = 0, second: int = 0, sp: int = 0
    ) -> int:
        """Call a function of the program unless it is 0, or one of these is running."""
        if not function or self._is_busy or not _has_room(machine, sp):
            return 0
        self._is_busy = True
        watches = int(machine.ctx["interface"]["watches"])
        machine.ctx["interface"]["watches"] = watches & ~WATCH_HOOKS
        try:
            return machine.call_guest(function, first, second, sp=sp)
        finally:
            machine.ctx["interface"]["watches"] |= watches
            self._is_busy = False


def _may_be_freed_by_free(ctx: Any, addr: int) -> None:
    """Who keeps a block from being freed does so later by `free`, whatever has allocated it."""
    chunk = addr_to_chunk(ctx, addr)
    if chunk is not None and chunk.is_live and chunk.begin == addr:
        arena.view_record(chunk.record, CHUNK_DTYPE)["family"] = MALLOC


def _has_room(machine: Machine, sp: int) -> bool:
    """Whether the thread's stack has room below `sp` for a function of the program."""
    thread = machine.current_thread()
    place = sp or int(thread["sp"])
    return int(thread["stack"]["lo"]) + _NEEDED_BYTES < place <= int(thread["stack"]["hi"])
