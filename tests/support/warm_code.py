"""Runs of programs whose code is generated in one process that is kept, as of a build of many.

    one child per program      17 ms to fork what has collected all tests, 35 ms to make LLVM ready
    a process that is kept     11 ms for a small program

Where LLVM ends that process, a child is asked, as `irsan run` does, and says why.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any
from unittest.mock import patch

from irsan.engine.commands.batch import BatchRunner
from irsan.engine.options import RunOptions
from irsan.engine.program_image import code_workers
from irsan.engine.program_image.codegen_apart import object_apart
from irsan.engine.run.prepared import PreparedProgram
from irsan.errors import IrsanError

_MOST_TEXTS = 200  # LLVM keeps types and constants of all of them


class WarmCode:
    """The process, started for the first text and again where it has ended."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._worker: Any = None
        self._hot_text = ""
        self._n_texts = 0

    def object_of(self, text: str, hot_text: str) -> bytes:
        """As `object_apart`."""
        if self._worker is None or hot_text != self._hot_text or self._n_texts >= _MOST_TEXTS:
            self.close()
            self._worker = self._open.enter_context(code_workers._worker(hot_text))
            self._hot_text = hot_text
        self._n_texts += 1
        try:
            return bytes(self._worker.generate(text))
        except IrsanError:
            self.close()
            return object_apart(text, hot_text)

    def close(self) -> None:
        """End the process."""
        self._open.close()
        self._worker, self._n_texts = None, 0


class WarmRunner(BatchRunner):
    """A batch that generates code so."""

    def __init__(self, options: RunOptions, timeout_s: float) -> None:
        super().__init__(options, timeout_s)
        self._code = WarmCode()

    def prepared(self, program: RunOptions) -> PreparedProgram:
        """As of BatchRunner."""
        with patch.object(code_workers, "object_apart", self._code.object_of):
            return super().prepared(program)

    def close(self) -> None:
        """End the host and the process that generates code."""
        super().close()
        self._code.close()
