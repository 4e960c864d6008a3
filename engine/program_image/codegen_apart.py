"""Code generation in a child of this process, because LLVM may end the process that asks it.

LLVM says no by ending: at an instruction that no processor here has ("Cannot select"), at inline
assembly that its assembler does not take, at its own assertions.  So the child is what ends.

    child:  text -> object bytes -> pipe           LLVM's words -> a file in memory
    here:   bytes, or the child's status and words -> `code_failure`

A fork costs a few milliseconds, a new process would cost a quarter of a second.
"""

from __future__ import annotations

import faulthandler
import os
import resource
import signal
import sys
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from irsan.engine.program_image.codegen import is_quick, text_to_object
from irsan.errors import InternalError, IrsanError, UnsupportedError, UsageError

_OF_ASSEMBLY: Final = ("<inline asm>", "constraint", " asm ")
_IN_FUNCTION: Final = "In function: "
_TRACEBACK: Final = "Traceback (most recent call last)"


class CodegenError(UnsupportedError):
    """LLVM has no code for something in a unit.

    words: what LLVM says; function: where, "" when it does not say; what: the instruction.
    """

    def __init__(self, words: str, function: str = "", what: str = "") -> None:
        super().__init__(f"LLVM cannot generate code{what and f' for {what}'}: {words}")
        self.words, self.function = words, function


class AssemblyError(UsageError):
    """The assembler does not take inline assembly of the program; `function` is not known."""

    def __init__(self, words: str, function: str = "", what: str = "inline assembly") -> None:
        super().__init__(f"{what}: {words}")
        self.words, self.function = words, function


def code_failure(status: int, said: str) -> IrsanError:
    """Why a process that generated code has ended.

    status: as of `os.waitstatus_to_exitcode`; said: what LLVM wrote to standard error.
    """
    if _TRACEBACK in said:
        return InternalError(f"generating code ended with status {status}: {said.strip()}")
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    function = next((line.removeprefix(_IN_FUNCTION) for line in lines
                     if line.startswith(_IN_FUNCTION)), "")  # fmt: skip
    words = next((found for found in map(_complaint, lines) if found), "")
    if any(word in words for word in _OF_ASSEMBLY):
        return AssemblyError(words)
    if not words:
        words = signal.Signals(-status).name if status < 0 else f"status {status}"
        words = f"{words}: {lines[0]}" if lines else words
    return CodegenError(words, function)


def _complaint(line: str) -> str:
    """What a line of LLVM's says, "" when it does not say why it ends."""
    for start in ("LLVM ERROR: ", "error: "):
        if line.startswith(start):
            return line.removeprefix(start)
    _, found, what = line.partition("Assertion `")
    return f"{found}{what}"


def object_apart(text: str, hot_text: str) -> bytes:
    """The object of instrumented LLVM text, as `text_to_object` makes it.

    Raises CodegenError or AssemblyError where LLVM gives up, InternalError for anything but LLVM
    text.
    """
    try:
        return _apart(lambda: text_to_object(text, hot_text))
    except CodegenError:
        if not is_quick(text):
            raise
        return _apart(lambda: text_to_object(text, hot_text, may_be_quick=False))


def _apart(make: Callable[[], bytes]) -> bytes:
    reader, writer = os.pipe()
    words = os.memfd_create("irsan-codegen")
    sys.stderr.flush()
    with warnings.catch_warnings():  # of threads, which this process does not have here
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if not child:
        _make_and_end(make, reader, writer, words)
    os.close(writer)
    try:
        with os.fdopen(reader, "rb") as stream:
            raw = stream.read()
        _, status = os.waitpid(child, 0)
    except BaseException:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        raise
    with os.fdopen(words, "rb") as stream:
        stream.seek(0)
        said = stream.read().decode(errors="replace")
    if status:
        raise code_failure(os.waitstatus_to_exitcode(status), said)
    sys.stderr.write(said)  # LLVM's warnings
    return raw


def _make_and_end(make: Callable[[], bytes], reader: int, writer: int, words: int) -> None:
    """The child's life: it never returns."""
    status = 1
    try:
        os.close(reader)
        faulthandler.disable()
        os.dup2(words, 2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(signal.SIGABRT, signal.SIG_DFL)
        with os.fdopen(writer, "wb") as stream:
            stream.write(make())
        status = 0
    except BaseException:
        os.write(2, traceback.format_exc().encode(errors="backslashreplace"))
    finally:
        os._exit(status)
