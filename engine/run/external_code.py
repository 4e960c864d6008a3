"""Names of managed code: the program explains the program counters that only it understands.

    __tsan_symbolize_external_ex(pc, add_frame, ctx)     calls add_frame(ctx, function, file, line,
                                                         column) per frame, innermost first
    __tsan_symbolize_external(pc, function, size, file, size, &line, &column)
                                                         one frame; asked when the other is missing

The program defines one of them; it is called while a report is made, on the stack of the running
thread, whose races are ignored meanwhile.  What it says is remembered, and asked for once.

Source: sanitizer/tsan_interface_java.h; tsan_symbolize.cpp for the order and the sizes.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from irsan.engine.findings.run_symbols import read_text
from irsan.reports.model.report import Frame
from irsan.runtime.records.race.ignored import set_ignore_depth

if TYPE_CHECKING:
    from irsan.engine.guest.machine import Machine

_MANY: Final = "__tsan_symbolize_external_ex"
_ONE: Final = "__tsan_symbolize_external"
_ADD_FRAME: Final = "__interceptor___irsan_add_external_frame"
_CALL_WORDS: Final = "__irsan_call_words"
_TEXT_BYTES: Final = 1024

Call = Callable[["Machine", int, int, int], int]


class ExternalCode:
    """What one program says about the program counters of its managed code."""

    def __init__(self, call: Call, symbols: Mapping[str, int]) -> None:
        """`call`: call a function of the program with two words; `symbols`: the program's own."""
        self._call = call
        self._many, self._one = symbols.get(_MANY, 0), symbols.get(_ONE, 0)
        self._machine: Machine | None = None
        self._told: list[Frame] = []
        self._pc = 0

    def start(self, machine: Machine) -> None:
        """The program can be asked from now on."""
        self._machine = machine

    def frames_at(self, pc: int) -> tuple[Frame, ...]:
        """Frames of an external program counter, innermost first; () when the program has none."""
        machine = self._machine
        if machine is None or not (self._many or self._one):
            return ()
        ctx = machine.ctx
        fault = ctx["fault"].copy()
        set_ignore_depth(ctx, int(ctx["ignore_depth"]) + 1)
        self._told, self._pc = [], pc
        try:
            if self._many:
                self._ask_many(machine)
            else:
                self._ask_one(machine)
        finally:
            ctx["fault"][:] = fault
            set_ignore_depth(ctx, int(ctx["ignore_depth"]) - 1)
        return tuple(self._told)

    def add_frame(self, _machine: Machine, arguments: Sequence[int]) -> None:
        """What __tsan_symbolize_external_ex calls for each frame."""
        function, file = (read_text(at) for at in arguments[1:3])
        line, column = (ctypes.c_int32(word).value for word in arguments[3:5])
        self._told.append(Frame(function, file, max(line, 0), max(column, 0), self._pc))

    def _ask_many(self, machine: Machine) -> None:
        add_frame = machine.runtime.symbols[_ADD_FRAME]
        self._with_words(machine, self._many, self._pc, add_frame, 0, 0, 0, 0, 0)

    def _ask_one(self, machine: Machine) -> None:
        texts = [ctypes.create_string_buffer(_TEXT_BYTES) for _ in range(2)]
        numbers = (ctypes.c_int32 * 2)()
        at = ctypes.addressof
        is_known = self._with_words(
            machine, self._one, self._pc, at(texts[0]), _TEXT_BYTES, at(texts[1]), _TEXT_BYTES,
            at(numbers), at(numbers) + ctypes.sizeof(ctypes.c_int32),
        )  # fmt: skip
        if is_known & 0xFF:
            function, file = (os.fsdecode(text.value) for text in texts)
            line, column = (max(number, 0) for number in numbers)
            self._told.append(Frame(function, file, line, column, self._pc))

    def _with_words(self, machine: Machine, function: int, *words: int) -> int:
        """Call a function of the program with seven words."""
        block = (ctypes.c_uint64 * len(words))(*words)
        call = machine.runtime.symbols[_CALL_WORDS]
        return self._call(machine, call, function, ctypes.addressof(block))
