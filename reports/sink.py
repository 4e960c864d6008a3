"""Where report text goes: standard error, standard output, or a log file per run.

log_path=PATH writes PATH.PID, with log_exe_name PATH.PROGRAM.PID, and log_suffix at the end;
where PATH has %p, the pid stands there and not behind it.
The file is made at the first report. If it cannot be, the text goes to standard error after one
line that says so.
"""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import TextIO

from irsan.errors import UsageError

PROCESS_MARK = "%p"
STANDARD_STREAMS = ("", "stderr", "stdout")


def log_file_path(
    log_path: str, pid: int, *, program: str = "", with_program: bool = False, suffix: str = ""
) -> Path:
    """Name of the log file: `log_path[.program].pid[suffix]`, or with the pid for %p."""
    if PROCESS_MARK in log_path:
        return Path(log_path.replace(PROCESS_MARK, str(pid)) + suffix)
    middle = f".{Path(program).name}" if with_program and program else ""
    return Path(f"{log_path}{middle}.{pid}{suffix}")


class ReportSink:
    """Receives report text. `stderr` and `stdout` may be replaced, for tests and captures."""

    def __init__(
        self,
        log_path: str = "",
        pid: int = 0,
        *,
        program: str = "",
        log_exe_name: bool = False,
        log_suffix: str = "",
        fallback: bool = True,
        stderr: TextIO | None = None,
        stdout: TextIO | None = None,
    ) -> None:
        self._stderr = stderr or sys.stderr
        self._stdout = stdout or sys.stdout
        self._fallback = fallback
        self._stream: TextIO | None = None
        if log_path in STANDARD_STREAMS:
            self.path: Path | None = None
            self._stream = self._stdout if log_path == "stdout" else self._stderr
            return
        self.path = log_file_path(
            log_path, pid, program=program, with_program=log_exe_name, suffix=log_suffix
        )

    @property
    def is_terminal(self) -> bool:
        """Whether text lands on a terminal."""
        return self._stream is not None and self.path is None and self._stream.isatty()

    def write(self, text: str) -> None:
        """Write one report in one piece and flush, so that reports never mix."""
        if not text:
            return
        if self._stream is None:
            self._stream = self._open()
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError as error:
            self._stream = self._fall_back(error)
            self._stream.write(text)

    def close(self) -> None:
        """Close the log file, if there is one; standard streams stay open."""
        if self._stream not in (None, self._stderr, self._stdout):
            with contextlib.suppress(OSError):  # what could not be written has been said
                self._stream.close()
            self._stream = None

    def _open(self) -> TextIO:
        assert self.path is not None
        try:
            # Appending keeps what an earlier sink of the same run wrote.
            return self.path.open("a", encoding="utf-8", errors="surrogateescape")
        except OSError as error:
            return self._fall_back(error)

    def _fall_back(self, error: OSError) -> TextIO:
        if self._stream is self._stderr:
            raise error
        message = f"cannot write reports to {self.path or 'stdout'}: {error.strerror or error}"
        if not self._fallback:
            raise UsageError(message) from None
        self._stderr.write(f"irsan: {message}; they follow here\n")
        return self._stderr
