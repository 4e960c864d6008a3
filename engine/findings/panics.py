"""Panics of Rust: which of them ends the program, and what it has said.

    unwinds, and no catch_unwind is in main     the program ends with 101: the finding `panic`
    cannot unwind (in a drop, in extern "C")    the program aborts: the reason of an ABRT
    is caught, or ends a thread that is joined  no finding: the program deals with it

A panic is noted when it begins to unwind (engine/glue/templates/program/panics.ll), as then its
stack is there. Its text is read from the payload: a box of a `&str` or of a `String`.

Source: Rust's panic_unwind (`gcc.rs`: the exception's fields) and std (`rt.rs`, `panicking.rs`).
Deviation: where a String keeps its capacity, its bytes and its length is not promised; the three
words are taken as pointer, length and capacity in whichever order they fit.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from itertools import permutations
from typing import TYPE_CHECKING, Any, Final

from irsan.reports.model.details import PanicFacts
from irsan.reports.model.names import demangled
from irsan.reports.model.report import Finding, Frame, Stack
from irsan.runtime import arena

if TYPE_CHECKING:
    from irsan.engine.findings.blocked_threads import StackToFrames
    from irsan.engine.guest.machine import Machine, Outcome

STATUS: Final = 101  # of a program whose main thread has panicked
_RUNS_MAIN: Final = "std::rt::lang_start"
_CATCHES: Final = ("catch_unwind", "panicking::try")
_PANICKING: Final = ("std::panicking::", "core::panicking::", "rust_panic")
_CAUSE_OFFSETS: Final = (40, 32)  # behind _Unwind_Exception (32) and, since 1.66, a canary
_WORD: Final = 8
_STR_BYTES, _STRING_BYTES = 16, 24
_MOST_TEXT: Final = 4096


class Panics:
    """The panics of one run; only the newest of the main thread is kept."""

    def __init__(self, stack_to_frames: StackToFrames) -> None:
        self._stack_to_frames = stack_to_frames
        self._frames: tuple[Frame, ...] = ()
        self._message = ""

    def raised(self, machine: Machine, arguments: Sequence[int]) -> None:
        """A panic begins to unwind; arguments: the exception."""
        if int(machine.current_thread()["tid"]):
            return
        texts = (_payload_text(arguments[0] + offset) for offset in _CAUSE_OFFSETS)
        self._message = next(filter(None, texts), "")
        stack_id = machine.runtime.kernel("current_stack_id") & 0xFFFF_FFFF
        frames = self._stack_to_frames(stack_id)
        own = frames[1:] if frames and frames[0].interceptor else frames
        self._frames = () if _is_caught(own) else own

    def at_end(self, outcome: Outcome) -> Finding | None:
        """The panic that has ended the program, if one has."""
        if outcome.status != STATUS or outcome.signal or not self._frames:
            return None
        return Finding(
            tool="AddressSanitizer",
            kind="panic",
            stacks=(Stack("access", "T0", self._frames),),
            details=PanicFacts(self._message),
            pc=self._frames[0].pc,
            fatal=False,
        )


def has_panicked(frames: Sequence[Frame]) -> bool:
    """Whether code of a panic is among the calls of an abort."""
    return any(demangled(one.function).startswith(_PANICKING) for one in frames)


def _is_caught(frames: Sequence[Frame]) -> bool:
    """Whether a call between main and the panic catches it; one outside of main does always."""
    for frame in frames:
        name = demangled(frame.function)
        if _RUNS_MAIN in name:
            return False
        if any(word in name for word in _CATCHES):
            return True
    return True


def _payload_text(place: int) -> str:
    """The text of a `Box<dyn Any + Send>` at an address; "" when it is no text."""
    if not _is_readable(place, 2 * _WORD):
        return ""
    data, table = _word(place), _word(place + _WORD)
    if not _is_readable(table, 3 * _WORD):
        return ""
    size = _word(table + _WORD)
    if size not in (_STR_BYTES, _STRING_BYTES) or not _is_readable(data, size):
        return ""
    words = [_word(data + at) for at in range(0, size, _WORD)]
    if size == _STR_BYTES:
        return _text(words[0], words[1])
    for start, length, capacity in permutations(words):
        if 0 < length <= capacity < start and _is_readable(start, length):
            return _text(start, length)
    return ""


def _text(start: int, length: int) -> str:
    kept = min(length, _MOST_TEXT)
    if not _is_readable(start, kept):
        return ""
    return ctypes.string_at(start, kept).decode(errors="replace").strip()


def _is_readable(addr: int, size: int) -> bool:
    return addr > 0 and arena.is_accessible(addr) and arena.is_accessible(addr + max(size, 1) - 1)


def _word(addr: int) -> Any:
    return ctypes.c_uint64.from_address(addr).value
