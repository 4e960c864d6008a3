"""Writing the chunks of a recorded run: STD text, plain or gzip (a member per chunk), or binary.

When the disk takes no more, the file is cut to its last complete chunk and is a trace up to there.
"""

from __future__ import annotations

import contextlib
import gzip
import os
from collections.abc import Callable
from pathlib import Path

from irsan.traces.binary_format import BinaryWriter
from irsan.traces.events import Chunk, Names
from irsan.traces.std_format import chunk_to_std


class WholeWrites:
    """A descriptor that takes all that is written, or raises OSError."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self.n_bytes = 0

    def write(self, data: bytes) -> int:
        """Write all of it."""
        rest = memoryview(data)
        while rest:
            n = os.write(self._descriptor, rest)
            self.n_bytes += n
            rest = rest[n:]
        return len(data)

    def cut(self, n_bytes: int) -> None:
        """Take back what was written behind the first `n_bytes`, where that can be."""
        self.n_bytes = n_bytes
        with contextlib.suppress(OSError):
            os.ftruncate(self._descriptor, n_bytes)
            os.lseek(self._descriptor, n_bytes, os.SEEK_SET)


class TraceOutput:
    """Writes chunks; after a failure the file is cut to its last complete chunk.

    path decides on gzip; `n_events` are in the file.
    """

    def __init__(self, path: Path, form: str, descriptor: int, names: Names) -> None:
        self._names = names
        self._file = WholeWrites(descriptor)
        self._is_packed = path.name.endswith(".gz")
        self._binary: BinaryWriter | None = None
        self.n_events = 0
        self.error: OSError | None = None
        if form == "binary":
            self._guarded(self._begin_binary)

    def write(self, chunk: Chunk) -> None:
        """Append a chunk; nothing once something has failed."""
        if self.error is None and self._guarded(lambda: self._write(chunk)):
            self.n_events += len(chunk)

    def close(self) -> None:
        """Make the file so far a trace."""
        if self._binary is not None:
            self._guarded(self._binary.close)

    def _begin_binary(self) -> None:
        self._binary = BinaryWriter(self._file, self._names)  # type: ignore[arg-type]

    def _write(self, chunk: Chunk) -> None:
        if self._binary is not None:
            self._binary.write(chunk)
            return
        text = chunk_to_std(chunk, self._names)
        self._file.write(gzip.compress(text, mtime=0) if self._is_packed else text)

    def _guarded(self, write: Callable[[], object]) -> bool:
        """Whether a step of writing went well; else the file is as before."""
        n_before = self._file.n_bytes
        try:
            write()
        except OSError as error:
            self._file.cut(n_before)
            self.error = self.error or error
            return False
        return True
