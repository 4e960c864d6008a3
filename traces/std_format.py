"""The STD text format: read in blocks of whole lines, plain or gzip; written from chunks."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from typing import Any

import numpy as np

from irsan.errors import UsageError
from irsan.traces.events import KEYWORDS, Bytes, Chunk, Names, Numbers
from irsan.traces.kernels.name_hash import intern_column
from irsan.traces.kernels.operations import (
    ACQUIRE,
    BEGIN,
    DUMMY,
    FORK,
    JOIN,
    READ,
    RELEASE,
    WRITE,
)
from irsan.traces.kernels.parse_std import (
    LEAST_LINE_BYTES,
    N_CONSUMED,
    N_EVENTS,
    PROBLEM,
    Problem,
    parse_block,
    select_targets,
)
from irsan.traces.kernels.write_std import Spaces, lines_bytes, write_lines

BLOCK_BYTES = 1 << 20
_GZIP_MAGIC = b"\x1f\x8b"
_KEYWORD_TEXT = np.frombuffer("".join(KEYWORDS).encode(), np.uint8).copy()
_KEYWORD_ENDS = np.cumsum([0, *map(len, KEYWORDS)])
# Operations from, to, and their place in Names.tables().
_SPACES = ((READ, WRITE, 2), (ACQUIRE, RELEASE, 1), (FORK, JOIN, 0), (BEGIN, DUMMY, 4))
_EXPLAINED = {
    Problem.FIELDS: "not three fields thread|operation(target)|location",
    Problem.THREAD: "the thread has no name",
    Problem.OPERATION: f"unknown operation (known: {' '.join(KEYWORDS)})",
    Problem.TARGET: "the operation needs a target in parentheses, without blanks",
    Problem.LOCATION: "the location is not a decimal number",
}


class StdTrace:
    """A trace in STD text, from an open file or pipe, which it closes; `path` is for messages."""

    def __init__(
        self, path: Path, file: BufferedReader, block_bytes: int = BLOCK_BYTES
    ) -> None:
        self.names = Names.empty()
        self._path = path
        self._raw = file
        is_gzip = file.peek(2)[:2] == _GZIP_MAGIC
        self._text: Any = gzip.GzipFile(fileobj=self._raw) if is_gzip else self._raw
        self._block_bytes = block_bytes
        self._n_events = 0

    def __enter__(self) -> StdTrace:
        return self

    def __exit__(self, *error: object) -> None:
        self._raw.close()

    def position(self) -> int:
        """Bytes of the file read so far, compressed ones if it is compressed; 0 of a pipe."""
        return self._raw.tell() if self._raw.seekable() else 0

    def chunks(self) -> Iterator[Chunk]:
        """The events in order. Raises UsageError that names the line, for the first bad one."""
        rest = b""
        is_last = False
        while not is_last:
            block = self._read()
            is_last = not block
            chunk, rest = self._parse(rest + block, is_last)
            if len(chunk):
                yield chunk

    def _read(self) -> bytes:
        try:
            return self._text.read(self._block_bytes)  # type: ignore[no-any-return]
        except (EOFError, gzip.BadGzipFile, gzip.zlib.error) as error:  # type: ignore[attr-defined]
            raise UsageError(f"{self._path}: damaged gzip file ({error})") from error

    def _parse(self, block: bytes, is_last: bool) -> tuple[Chunk, bytes]:
        cap = len(block) // LEAST_LINE_BYTES + 1
        data = np.frombuffer(block, np.uint8).copy()
        operations = np.empty(cap, np.uint8)
        fields = np.empty((6, cap), np.int32)
        counts = np.zeros(3, np.int64)
        parse_block(data, len(data), is_last, operations, fields, np.empty(5, np.int64), counts)
        n_events, n_consumed = int(counts[N_EVENTS]), int(counts[N_CONSUMED])
        columns = self._number(data, operations[:n_events], fields)
        first_event = self._n_events + 1
        self._n_events += n_events
        rest = block[n_consumed:]
        if counts[PROBLEM]:
            raise self._refusal(Problem(int(counts[PROBLEM])), rest)
        if len(rest) > self._block_bytes:
            raise UsageError(f"{self._place()}: longer than {self._block_bytes} bytes")
        return Chunk(first_event, operations[:n_events], *columns), rest

    def _number(self, data: Bytes, operations: Bytes, fields: Numbers) -> tuple[Numbers, ...]:
        """The names of a block as numbers: threads, targets, locations."""
        names, n = self.names, len(operations)
        for table in names.tables():
            table.reserve(2 * n, len(data))
        threads, targets, locations = np.empty((3, n), np.int32)
        intern_column(names.threads.hashed, data, fields[0, :n], fields[1, :n], threads)
        for first, last, space in _SPACES:
            starts, ends = np.empty((2, n), np.int32)
            select_targets(operations, fields, n, first, last, starts, ends)
            intern_column(names.tables()[space].hashed, data, starts, ends, targets)
        intern_column(names.locations.hashed, data, fields[4, :n], fields[5, :n], locations)
        return threads, targets, locations

    def _refusal(self, problem: Problem, rest: bytes) -> UsageError:
        line = rest.split(b"\n", 1)[0].rstrip(b"\r")
        shown = line[:80].decode("utf-8", "backslashreplace")
        shown = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in shown)
        dots = "..." if len(line) > 80 else ""
        return UsageError(f"{self._place()}: {_EXPLAINED[problem]}: '{shown}{dots}'")

    def _place(self) -> str:
        return f"{self._path}:{self._n_events + 1}"


def chunk_to_std(chunk: Chunk, names: Names) -> bytes:
    """The lines of a chunk."""
    spaces = Spaces(
        names.threads.hashed,
        names.locks.hashed,
        names.variables.hashed,
        names.locations.hashed,
        names.labels.hashed,
        _KEYWORD_TEXT,
        _KEYWORD_ENDS,
    )
    columns = (chunk.operations, chunk.threads, chunk.targets, chunk.locations)
    out = np.empty(lines_bytes(spaces, *columns), np.uint8)
    n_bytes = write_lines(spaces, *columns, out)
    return out[:n_bytes].tobytes()
