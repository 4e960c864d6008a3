"""From site numbers to report frames: program sites from the site table, interceptors by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from irsan.interceptors.registry import ROUTINE_SITE_BASE
from irsan.reports.model.report import Frame, GlobalVariable
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.external_sites import (
    routine_to_external_pc,
    routine_to_pc,
    routine_to_tag,
)
from irsan.runtime.records.threads.exit_records import routine_to_name
from irsan.runtime.views.stackdepot import sites_of_stack

# As kStackTraceMax of LLVM's sanitizers: a recursion without an end has half a million frames.
MAX_FRAMES: Final = 256
_SYSCALL_HOOK: Final = "__sanitizer_syscall_"


class SiteFrames:
    """Frames of sites and of whole stacks; `of_code` knows the function at an address.

    `of_external_code` knows the frames of managed code.

    The pc of a frame stands for the place of its site among those of the program.

    A real pc would change with every rebuild of the runtime; a site number is the same in every
    run, so reports are too.

    A program's word of its own system call (__sanitizer_syscall_*) is a frame for AddressSanitizer
    and none for ThreadSanitizer, whose reports begin where the program says.
    """

    def __init__(
        self,
        sites: Any,
        routines: Sequence[dict[str, Any]],
        module: str,
        *,
        shows_syscall_hooks: bool = True,
    ) -> None:
        self._sites = sites
        self._shows_syscall_hooks = shows_syscall_hooks
        self._routines = routines
        self._module = module
        self.of_code: Callable[[int], Frame] = lambda pc: Frame(pc=pc)
        self.of_external_code: Callable[[int], tuple[Frame, ...]] = lambda _pc: ()
        self._known: dict[int, tuple[Frame, ...]] = {}

    def of_site(self, site: int) -> tuple[Frame, ...]:
        """Frames of one site, innermost inlined function first."""
        found = self._known.get(site)
        if found is None:
            found = self._known[site] = self._make(site)
        return found

    def of_stack(self, stack_id: int, limit: int = MAX_FRAMES) -> tuple[Frame, ...]:
        """Frames of a stack id, innermost first, at most `limit`."""
        frames: list[Frame] = []
        for site in sites_of_stack(stack_id):
            frames.extend(self.of_site(site))
            if len(frames) >= limit:
                break
        return tuple(frames[:limit])

    def access_size(self, stack_id: int) -> int:
        """Bytes of the access at the top of a stack, 0 when its site has no one size."""
        site = next(sites_of_stack(stack_id), 0)
        return int(self._sites.site_to_size(site)) if site else 0

    def record_at(self, pc: int) -> tuple[str, int]:
        """Fields of what the access at a frame's pc touches, and where in that; see sites.py."""
        record = self._sites.place_to_record((pc - memory_map.PROGRAM_CODE_LO) // 16)
        return record.layout, record.offset

    def layout_of(self, variable: str) -> str:
        """Fields of a global, or of a local by its name and line."""
        return str(self._sites.variable_to_layout(variable))

    def in_module(self, variable: GlobalVariable, symbol: str) -> GlobalVariable:
        """A global with the program's name and its offset there; `symbol` names it if not empty."""
        offset = variable.lo - memory_map.PROGRAM_CODE_LO
        name = symbol or variable.name
        return replace(variable, name=name, module=self._module, module_offset=offset)

    def routine_name(self, number: int) -> str:
        """Name of an interceptor by its number, "" for none.

        Searched for: few are asked for, and a table of all takes a millisecond of each run.
        """
        return next((str(row["name"]) for row in self._routines if row["number"] == number), "")

    def _make(self, site: int) -> tuple[Frame, ...]:
        if site >= ROUTINE_SITE_BASE:
            if routine_to_tag(site - ROUTINE_SITE_BASE):
                return ()
            pc = routine_to_pc(site - ROUTINE_SITE_BASE)
            if pc:
                return (self.of_code(pc),)
            external = routine_to_external_pc(site - ROUTINE_SITE_BASE)
            if external:
                return self.of_external_code(external) or (Frame(pc=external),)
            number = site - ROUTINE_SITE_BASE
            name = self.routine_name(number) or routine_to_name(number) or "interceptor"
            if name.startswith(_SYSCALL_HOOK) and not self._shows_syscall_hooks:
                return ()
            return (
                Frame(name, module=self._module, pc=memory_map.RUNTIME_CODE_LO, interceptor=True),
            )
        offset = 16 * self._sites.site_to_place(site)
        pc = memory_map.PROGRAM_CODE_LO + offset
        frames = [
            Frame(function, file, line, column, pc, self._module, offset)
            for function, file, line, column in self._sites.site_to_frames(site)
        ]
        if frames:
            frames[0] = replace(frames[0], expression=self._sites.site_to_expression(site))
        return tuple(frames)
