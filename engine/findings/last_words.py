"""Why a program ends itself: a failed assertion, an uncaught exception, a call of abort.

    the glue of abort passes its caller          engine/glue/templates/program/abort.ll
    an exception                                 the C++ library's functions say which: its type
                                                 and std::exception's what()
    anything else                                the message that the C library has kept of its end

What was said belongs to the SIGABRT that follows from the same place of the stack; a handler may
leave it by a jump, and then it is never reported.

A check of libc++'s headers is a precondition of the library that the program has broken: it is a
finding of its own kind, whose message the library has written.

Source: glibc's assert.c for the text and `__abort_msg`; the Itanium C++ ABI, "Exception handling".
Deviation: the text of a failed assertion is not translated.
"""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from irsan.engine.findings.run_symbols import read_text
from irsan.reports.model.details import DeathReason
from irsan.reports.model.kinds import BROKEN_PRECONDITION
from irsan.reports.model.names import demangled
from irsan.reports.model.report import Finding, SignalFacts
from irsan.runtime.diagnosis.dynamic_types import base_offset, read_type_info

if TYPE_CHECKING:
    from irsan.engine.findings.panics import Panics
    from irsan.engine.guest.machine import Machine

_TYPE: Final = "__cxa_current_exception_type"
_OBJECTS: Final = ("__cxa_current_primary_exception", "_ZSt17current_exceptionv")
_EXCEPTION: Final = "St9exception"
_WHAT_SLOT: Final = 2
_NEAR_BYTES: Final = 8192  # of stack, from the glue of abort to the kernel's frame of the signal
_MESSAGE_OFFSET: Final = 4  # behind the size of the whole
_PRECONDITION: Final = re.compile(
    r".*?:\d+: (?:libc\+\+ Hardening )?assertion (?P<expression>.*) failed: (?P<message>.*)",
    re.DOTALL,
)
_ASSERTION: Final = re.compile(r"Assertion [`'](.*)' failed\.?$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class DeathNote:
    """What is known about the end of a program; texts are empty when there is nothing to say."""

    reason: DeathReason = ""
    message: str = ""
    expression: str = ""


class LastWords:
    """What one program has said about its end.

    call      call a function of the program with two words
    function  address of a function of the program or of its C++ library, 0 when there is none
    is_own    whether a return address lies in the program's own code
    """

    def __init__(
        self,
        call: Callable[[Machine, int, int, int], int],
        function: Callable[[str], int],
        is_own: Callable[[int], bool],
    ) -> None:
        self._call, self._function, self._is_own = call, function, is_own
        self._note, self._sp = DeathNote(), 0
        self.panics: Panics | None = None

    def panic_raised(self, machine: Machine, arguments: Sequence[int]) -> None:
        """A panic of Rust begins to unwind."""
        if self.panics is not None:
            self.panics.raised(machine, arguments)

    def abort_called(self, machine: Machine, arguments: Sequence[int]) -> None:
        """abort, by the program itself or by the C++ library for an uncaught exception."""
        exception = self._current_exception(machine)
        if not exception:
            self._keep(machine, DeathNote("abort"))
        elif self._is_own(arguments[0]):
            self._keep(machine, DeathNote("abort", f"while handling {exception}"))
        else:
            self._keep(machine, DeathNote("exception", exception))

    def assertion_failed(self, machine: Machine, arguments: Sequence[int]) -> None:
        """__assert_fail(expression, file, line, function)."""
        expression, file, function = (read_text(arguments[index]) for index in (0, 1, 3))
        name = _program_name()
        place = f"{name + ': ' if name else ''}{file}:{arguments[2]}: "
        self._fail(machine, expression, f"{place}{function + ': ' if function else ''}")

    def plain_assertion_failed(self, machine: Machine, arguments: Sequence[int]) -> None:
        """__assert(expression, file, line)."""
        self.assertion_failed(machine, (*arguments[:3], 0))

    def errno_assertion_failed(self, machine: Machine, arguments: Sequence[int]) -> None:
        """__assert_perror_fail(errno, file, line, function)."""
        number = ctypes.c_int32(arguments[0] & 0xFFFF_FFFF).value
        file, function = read_text(arguments[1]), read_text(arguments[3])
        name = _program_name()
        text = f"{name + ': ' if name else ''}{file}:{arguments[2]}: "
        text += f"{function + ': ' if function else ''}Unexpected error: {os.strerror(number)}."
        _print(text)
        self._keep(machine, DeathNote("assertion", text, f"errno {number}"))

    def library_assertion_failed(self, machine: Machine, arguments: Sequence[int]) -> None:
        """std::__glibcxx_assert_fail(file, line, function, condition)."""
        file, function, condition = (read_text(arguments[index]) for index in (0, 2, 3))
        _print(text := f"{file}:{arguments[1]}: {function}: Assertion '{condition}' failed.")
        self._keep(machine, DeathNote("assertion", text, condition))

    def precondition_failed(self, machine: Machine, arguments: Sequence[int]) -> None:
        """std::__libcpp_verbose_abort: a check of the C++ library's headers, or its own end."""
        text = read_text(arguments[0]).strip()
        _print(text)
        found = _PRECONDITION.fullmatch(text)
        if found is None:
            self._keep(machine, DeathNote("abort", text))
        else:
            note = DeathNote("precondition", found["message"], found["expression"])
            self._keep(machine, note)

    def of_crash(self, sp: int) -> DeathNote:
        """What belongs to a SIGABRT that was raised with the stack reaching down to `sp`."""
        if self._note.reason and 0 <= self._sp - sp < _NEAR_BYTES:
            return self._note
        message = _message_of_libc()
        asserted = _ASSERTION.search(message)
        if asserted is not None:
            return DeathNote("assertion", message, asserted[1])
        return DeathNote("abort" if message else "", message)

    def _fail(self, machine: Machine, expression: str, place: str) -> None:
        _print(text := f"{place}Assertion `{expression}' failed.")
        self._keep(machine, DeathNote("assertion", text, expression))

    def _keep(self, machine: Machine, note: DeathNote) -> None:
        self._note, self._sp = note, int(machine.current_thread()["sp"])

    def _current_exception(self, machine: Machine) -> str:
        """Type and text of the exception that is being handled, or that is uncaught."""
        asked = self._function(_TYPE)
        info = self._call(machine, asked, 0, 0) if asked else 0
        if not info:
            return ""
        name = demangled(f"_ZTI{_type_name(info)}").removeprefix("typeinfo for ")
        text = self._text_of(machine, info)
        return f"{name}: {text}" if text else name

    def _text_of(self, machine: Machine, info: int) -> str:
        """what() of an exception, a string or a number that was thrown; else nothing."""
        thrown = self._thrown_object(machine)
        if not thrown:
            return ""
        name = _type_name(info)
        if name in ("PKc", "Pc"):
            return read_text(_word(thrown))
        if name == "i":
            return str(ctypes.c_int32.from_address(thrown).value)
        whole = read_type_info(info)
        offset = base_offset(whole, _EXCEPTION) if whole is not None else None
        if offset is None:
            return ""
        part = thrown + offset
        what = _word(_word(part) + 8 * _WHAT_SLOT)
        return read_text(self._call(machine, what, part, 0))

    def _thrown_object(self, machine: Machine) -> int:
        """The object that was thrown; the C++ libraries have different functions for it."""
        direct, by_pointer = map(self._function, _OBJECTS)
        if direct:
            return self._call(machine, direct, 0, 0)
        if not by_pointer:
            return 0
        result = ctypes.c_uint64()
        self._call(machine, by_pointer, ctypes.addressof(result), 0)
        return result.value


def with_last_words(finding: Finding, note: DeathNote) -> Finding:
    """The finding of a SIGABRT with what is known about it."""
    facts = finding.details
    if not isinstance(facts, SignalFacts):
        return finding
    told = replace(facts, reason=note.reason, message=note.message, expression=note.expression)
    kind = BROKEN_PRECONDITION if note.reason == "precondition" else finding.kind
    return replace(finding, kind=kind, details=told)


def _word(addr: int) -> int:
    return int(ctypes.c_uint64.from_address(addr).value)


def _type_name(info: int) -> str:
    """Linkage name in a type_info; the `*` of a local type is no part of it."""
    return read_text(_word(info + 8)).lstrip("*")


def _program_name() -> str:
    name: Any = ctypes.c_char_p.in_dll(ctypes.CDLL(None), "__progname")
    return os.fsdecode(name.value or b"")


def _print(text: str) -> None:
    """A line on the C library's stderr, which may be any file by now."""
    libc = ctypes.CDLL(None)
    stream = ctypes.c_void_p.in_dll(libc, "stderr")
    libc.fputs(os.fsencode(f"{text}\n"), stream)
    libc.fflush(stream)


def _message_of_libc() -> str:
    """What the C library has said about its own end: a smashed stack, a damaged heap."""
    try:
        place = ctypes.c_void_p.in_dll(ctypes.CDLL(None), "__abort_msg").value
    except ValueError:  # not glibc
        return ""
    if not place:
        return ""
    return read_text(place + _MESSAGE_OFFSET).strip()
