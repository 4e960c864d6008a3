"""Names of places for the program itself: __sanitizer_symbolize_pc and similar.

A program counter that the program got from irsan (a stack of an allocation, the place of a
report) stands for a place in the source, with line and inlined frames; any other address in its
code is known as its function.

Source: sanitizer/common_interface_defs.h.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from irsan.reports.model.report import Frame, GlobalVariable
from irsan.reports.text.frames import MEMORY_FORMAT, format_frame
from irsan.reports.text.style import TextStyle
from irsan.runtime.diagnosis.describe import Places, describe_address
from irsan.runtime.layout import memory_map

if TYPE_CHECKING:
    from irsan.engine.guest.machine import Machine

_MAX_TEXT_BYTES: Final = 1 << 12


class RunSymbols:
    """The look-ups of one run."""

    def __init__(
        self,
        places: Places,
        of_code: Callable[[int], Frame],
        style: Callable[[], TextStyle],
    ) -> None:
        """`of_code`: the function at an address of the program's code."""
        self._places = places
        self._of_code = of_code
        self._style = style
        self._given: dict[int, tuple[Frame, ...]] = {}  # what the program got from us

    def remember(self, frames: Sequence[Frame]) -> None:
        """The program gets the program counters of these frames."""
        for frame in frames:
            self._given[frame.pc] = tuple(f for f in frames if f.pc == frame.pc)

    def return_address(self, machine: Machine, _arguments: Sequence[int]) -> int:
        """__sanitizer_return_address: where the function that asks was called."""
        stack_id = machine.runtime.kernel("current_stack_id") & 0xFFFF_FFFF
        frames = [f for f in self._places.stack_to_frames(stack_id) if not f.interceptor]
        self.remember(frames)
        return frames[min(1, len(frames) - 1)].pc if frames else 0

    def symbolize_pc(self, _machine: Machine, arguments: Sequence[int]) -> None:
        """__sanitizer_symbolize_pc: one string for each frame, then an empty one."""
        pc, form_at, target, limit = arguments[:4]
        template = read_text(form_at) or MEMORY_FORMAT
        texts = [
            format_frame(frame, number, self._style(), template.replace("DEFAULT", MEMORY_FORMAT))
            for number, frame in enumerate(self.frames_of(pc))
        ]
        write_text(target, limit, "".join(text + "\0" for text in texts))

    def symbolize_global(self, _machine: Machine, arguments: Sequence[int]) -> None:
        """__sanitizer_symbolize_global: %g name, %s file, %l line."""
        addr, form_at, target, limit = arguments[:4]
        found = describe_address(self._places, addr).location
        text = ""
        if isinstance(found, GlobalVariable):
            text = read_text(form_at) or "%g %s:%l"
            for word, value in (("%g", found.name), ("%s", found.file), ("%l", found.line)):
                text = text.replace(word, str(value))
        write_text(target, limit, text)

    def module_and_offset(self, _machine: Machine, arguments: Sequence[int]) -> int:
        """__sanitizer_get_module_and_offset_for_pc: 1 for a place in the program."""
        pc, target, limit, offset_at = arguments[:4]
        if not memory_map.PROGRAM_CODE_LO <= pc < memory_map.PROGRAM_CODE_HI:
            return 0
        frame = self._of_code(pc)
        write_text(target, limit, frame.module)
        if offset_at:
            ctypes.c_uint64.from_address(offset_at).value = pc - memory_map.PROGRAM_CODE_LO
        return 1

    def frames_of(self, pc: int) -> tuple[Frame, ...]:
        """Frames of a program counter, innermost first."""
        if pc in self._given:
            return self._given[pc]
        if memory_map.PROGRAM_CODE_LO <= pc < memory_map.PROGRAM_CODE_HI:
            return (self._of_code(pc),)
        return ()


def read_text(addr: int) -> str:
    """The string at an address of the guest, "" for a null pointer."""
    if not addr:
        return ""
    return os.fsdecode((ctypes.c_char * _MAX_TEXT_BYTES).from_address(addr).value)


def write_text(target: int, limit: int, text: str) -> None:
    """Write a text and its final zero as far as there is room."""
    if not target or limit <= 0:
        return
    raw = os.fsencode(text)[: limit - 1] + b"\0"
    ctypes.memmove(target, raw, len(raw))

