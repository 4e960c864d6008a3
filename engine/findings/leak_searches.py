"""Leak searches of one run: at exit and when the program asks; what they find goes to the recorder.

    search, then hide suppressed leaks; blocks reached from suppressed ones are none either, so
    search again as long as a suppression has matched and indirect leaks are left

Source: LeakSanitizer's lsan_common.cpp: DoLeakCheck, DoRecoverableLeakCheck, CheckForLeaks.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from irsan.engine.findings.findings import FindingsRecorder
from irsan.engine.guest.machine import Machine, Outcome
from irsan.reports.model.report import Finding, Frame
from irsan.runtime.diagnosis.diagnose_leak import leak_findings
from irsan.runtime.flags.flags import FlagView
from irsan.runtime.leaks.leak_check import find_leaks, ignore_stacks
from irsan.runtime.leaks.leak_roots import Range, RootOptions, root_ranges
from irsan.runtime.records.memory import leak_records as lr
from irsan.runtime.views.mappings import heap_range, refresh_mappings
from irsan.runtime.views.native_roots import host_library_data, own_library_data

_MAX_ROUNDS: Final = 9


class LeakSearches:
    """When to search, and how the flags want it."""

    def __init__(
        self,
        recorder: FindingsRecorder,
        stack_to_frames: Callable[[int], tuple[Frame, ...]],
        segments: Callable[[], Sequence[Range]],
        host: frozenset[str],
        *,
        is_wanted: bool,
    ) -> None:
        """`segments`: writable ranges of the program; `is_wanted`: leaks are looked for at all.

        host: libraries that were not loaded for the program
        """
        self._recorder, self._segments, self._host = recorder, segments, host
        self._limit = recorder.flags.lsan.get_int("malloc_context_size")
        self._stack_to_frames = stack_to_frames
        self._is_wanted = is_wanted and recorder.flags.lsan.get_bool("detect_leaks")

    def start(self, ctx: Any, symbols: Mapping[str, int]) -> None:
        """Set what the guest does, before it runs."""
        leaks, flags = ctx["leaks"], self._recorder.flags.lsan
        heap_range()  # asks the kernel once; behind a chroot of the program it could not be asked
        leaks["searches_at_exit"] = self._is_wanted and flags.get_bool("leak_check_at_exit")
        leaks["turned_off_function"] = symbols.get("__lsan_is_turned_off", 0)
        leaks["suppressions_function"] = symbols.get("__lsan_default_suppressions", 0)

    def search_after_exit(self, machine: Machine) -> None:
        """The program has ended: search for leaks if it ended by exit and there was no search
        before.  Without a live block there is nothing to find.
        """
        if machine.ctx["leaks"]["is_pending"] and machine.ctx["heap"]["n_live"]:
            self._search(machine, lr.AT_EXIT_CALLER)

    def search_or_end(self, machine: Machine) -> Outcome | int:
        """Leaks end the program, if they have an exit status; there is no search at exit any
        more.
        """
        leaks = machine.ctx["leaks"]
        if not leaks["searches_at_exit"] and not self._is_wanted:
            return 0
        leaks["searches_at_exit"], self._is_wanted = 0, False
        has_leaks = self._search(machine, lr.ON_DEMAND_CALLER)
        if has_leaks and self._recorder.flags.lsan.get_int("exitcode"):
            return Outcome(is_stopped=True)
        return 0

    def search(self, machine: Machine) -> bool:
        """Whether there are leaks now; they are reported and the program goes on.

        They do not change its exit status: the program knows of them.
        """
        return self._is_wanted and self._search(machine, lr.ON_DEMAND_CALLER, fatal=False)

    def _search(self, machine: Machine, caller: int, *, fatal: bool = True) -> bool:
        self._read_own_suppressions(machine.ctx)
        shown: list[Finding] = []
        for _ in range(_MAX_ROUNDS):
            shown, hidden = [], set[int]()
            for finding, stacks in self._find(machine, caller, fatal=fatal):
                if self._recorder.suppresses(finding):
                    hidden |= stacks
                else:
                    shown.append(finding)
            ignore_stacks(machine.ctx, hidden)
            if not hidden or all(finding.kind == "direct-leak" for finding in shown):
                break
        self._recorder.add_leaks(shown)
        return bool(shown)

    def _find(
        self, machine: Machine, caller: int, *, fatal: bool
    ) -> list[tuple[Finding, frozenset[int]]]:
        ctx, flags = machine.ctx, self._recorder.flags.lsan
        picked, mappings = _root_options(flags), partial(refresh_mappings, ctx)
        roots = root_ranges(ctx, picked, self._segments(), mappings, caller, self._host)
        doubtful = host_library_data(self._host) if picked.use_globals else []
        own = own_library_data(self._host) if picked.use_globals else []
        options = _search_options(flags)
        groups = find_leaks(ctx, machine.runtime.kernel, roots, options, doubtful, own)
        return leak_findings(groups, self._frames, flags.get_int("resolution"), fatal=fatal)

    def _frames(self, stack_id: int) -> tuple[Frame, ...]:
        frames = self._stack_to_frames(stack_id)
        return frames[: self._limit] if self._limit else frames

    def _read_own_suppressions(self, ctx: Any) -> None:
        """What __lsan_default_suppressions has returned; the guest leaves it before a search."""
        at = int(ctx["leaks"]["suppressions_text"])
        ctx["leaks"]["suppressions_text"] = 0
        if at:
            text = ctypes.string_at(at).decode("utf-8", "replace")
            self._recorder.add_suppressions(text, "__lsan_default_suppressions")


def _root_options(flags: FlagView) -> RootOptions:
    names = ("use_globals", "use_stacks", "use_registers", "use_tls", "use_root_regions")
    picked = {name: flags.get_bool(name) for name in (*names, "use_dead_stack")}
    return RootOptions(**picked)


def _search_options(flags: FlagView) -> int:
    bits = lr.USE_UNALIGNED if flags.get_bool("use_unaligned") else 0
    bits |= lr.USE_POISONED if flags.get_bool("use_poisoned") else 0
    return bits | (0 if flags.get_bool("use_interior") else lr.STARTS_ONLY)
