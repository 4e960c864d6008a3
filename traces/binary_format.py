"""The binary form of a trace: compressed columns in frames, each with its length and checksum.

    file    magic b"irsan-trace\\n", version u16, then frames
    frame   kind u8, events u32, raw bytes u32, stored bytes u32, CRC-32 of the stored bytes u32;
            then the stored bytes: zlib of the raw ones
    EVENTS  raw: for each of the five name spaces the number of new names u32, their lengths u32
            each, their bytes; then the columns operation, thread, target, location
    END     no bytes; the number of all events u64 stands in place of events and raw bytes

All numbers are little endian.  A column of int32 is stored as differences, zigzag coded, the least
significant bytes of all of them first: what hardly changes compresses to nearly nothing.  A file
without END was cut off; whatever a checksum or a bound does not confirm is refused.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from typing import IO

import numpy as np

from irsan.errors import UsageError
from irsan.traces.events import N_OPERATIONS, Bytes, Chunk, Names, Numbers
from irsan.traces.names import NameTable

MAGIC = b"irsan-trace\n"
VERSION = 1
EVENTS, END = 1, 2
_LEVEL = 6
_VERSION = struct.Struct("<H")
_FRAME = struct.Struct("<BIIII")
_END = struct.Struct("<BQII")
_MAX_RAW_BYTES = 1 << 28


def encode_column(values: Numbers) -> bytes:
    """Differences, zigzag coded, in planes of bytes."""
    deltas = np.diff(values.astype(np.int32), prepend=np.int32(0)).astype(np.int32)
    zigzag = ((deltas << 1) ^ (deltas >> 31)).view(np.uint32)
    return np.ascontiguousarray(zigzag.view(np.uint8).reshape(-1, 4).T).tobytes()


def decode_column(stored: Bytes) -> Numbers:
    """The inverse of `encode_column`."""
    zigzag = np.ascontiguousarray(stored.reshape(4, -1).T).view(np.uint32).ravel()
    deltas = (zigzag >> np.uint32(1)).view(np.int32) ^ -(zigzag & np.uint32(1)).view(np.int32)
    return np.cumsum(deltas, dtype=np.int32)


class BinaryWriter:
    """Writes chunks to an open file; `close` writes the end, without which the file is refused."""

    def __init__(self, file: IO[bytes], names: Names) -> None:
        self._file = file
        self._names = names
        self._n_written = [0] * 5
        self._n_events = 0
        file.write(MAGIC + _VERSION.pack(VERSION))

    def write(self, chunk: Chunk) -> None:
        """One frame, with the names that are new since the last one."""
        parts = [self._new_names(i, table) for i, table in enumerate(self._names.tables())]
        parts.append(chunk.operations.tobytes())
        parts += [encode_column(c) for c in (chunk.threads, chunk.targets, chunk.locations)]
        raw = b"".join(parts)
        stored = zlib.compress(raw, _LEVEL)
        header = _FRAME.pack(EVENTS, len(chunk), len(raw), len(stored), zlib.crc32(stored))
        self._file.write(header + stored)
        self._n_events += len(chunk)

    def close(self) -> None:
        """The end mark; the file itself stays open."""
        self._file.write(_END.pack(END, self._n_events, 0, 0))

    def _new_names(self, space: int, table: NameTable) -> bytes:
        first, self._n_written[space] = self._n_written[space], len(table)
        offsets = table.hashed.offsets[first : len(table) + 1]
        lengths = np.diff(offsets).astype("<u4")
        text = table.hashed.text[offsets[0] : offsets[-1]]
        return b"".join((struct.pack("<I", len(lengths)), lengths.tobytes(), text.tobytes()))


class BinaryTrace:
    """A trace in the binary form, from an open file or pipe, which it closes.

    Raises UsageError for another version of it.
    """

    def __init__(self, path: Path, file: BufferedReader) -> None:
        self.names = Names.empty()
        self._path = path
        self._file = file
        self._n_events = 0
        if self._file.read(len(MAGIC)) != MAGIC:
            raise self._damaged("it does not begin with irsan-trace")
        (version,) = _VERSION.unpack(self._exactly(_VERSION.size))
        if version != VERSION:
            raise UsageError(f"{path}: a trace of version {version}; this irsan reads {VERSION}")

    def __enter__(self) -> BinaryTrace:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def position(self) -> int:
        """Bytes of the file read so far; 0 of a pipe."""
        return self._file.tell() if self._file.seekable() else 0

    def chunks(self) -> Iterator[Chunk]:
        """The events in order. Raises UsageError for a file that is damaged or cut off."""
        while True:
            header = self._exactly(_FRAME.size)
            if header[0] == END:
                return self._check_end(header)
            kind, n_events, n_raw, n_stored, checksum = _FRAME.unpack(header)
            if kind != EVENTS or n_raw > _MAX_RAW_BYTES or n_stored > _MAX_RAW_BYTES:
                raise self._damaged("a frame that no irsan has written")
            stored = self._exactly(n_stored)
            if zlib.crc32(stored) != checksum:
                raise self._damaged("a checksum does not match")
            yield self._decode(n_events, self._unpack(stored, n_raw))

    def _check_end(self, header: bytes) -> None:
        _, n_events, *rest = _END.unpack(header)
        if n_events != self._n_events or any(rest) or self._file.read(1):
            raise self._damaged("its end does not fit the rest")

    def _unpack(self, stored: bytes, n_raw: int) -> Bytes:
        unpacker = zlib.decompressobj()
        try:
            raw = unpacker.decompress(stored, n_raw)
        except zlib.error as error:
            raise self._damaged(str(error)) from error
        if len(raw) != n_raw or unpacker.unconsumed_tail:
            raise self._damaged("a frame has another length than it says")
        return np.frombuffer(raw, np.uint8)

    def _decode(self, n_events: int, raw: Bytes) -> Chunk:
        rest = raw
        for table in self.names.tables():
            rest = self._add_names(table, rest)
        if len(rest) != 13 * n_events:
            raise self._damaged("a frame has another length than it says")
        operations = rest[:n_events].copy()
        columns = rest[n_events:].reshape(3, 4 * n_events)
        threads, targets, locations = (decode_column(column) for column in columns)
        chunk = Chunk(self._n_events + 1, operations, threads, targets, locations)
        self._n_events += n_events
        self._check_numbers(chunk)
        return chunk

    def _add_names(self, table: NameTable, rest: Bytes) -> Bytes:
        if len(rest) < 4:
            raise self._damaged("a frame is too short")
        n_names = int.from_bytes(rest[:4].tobytes(), "little")
        lengths = np.frombuffer(rest[4 : 4 + 4 * n_names].tobytes()[: 4 * n_names], np.uint8)
        if len(lengths) != 4 * n_names:
            raise self._damaged("a frame is too short")
        sizes = lengths.view("<u4").astype(np.int64)
        start = 4 + 4 * n_names
        end = start + int(sizes.sum())
        if end > len(rest):
            raise self._damaged("a frame is too short")
        table.extend(sizes, rest[start:end])
        return rest[end:]

    def _check_numbers(self, chunk: Chunk) -> None:
        if (chunk.operations >= N_OPERATIONS).any():
            raise self._damaged("an operation that does not exist")
        self._check_range(chunk.threads, len(self.names.threads))
        self._check_range(chunk.locations, len(self.names.locations))
        for operation in range(N_OPERATIONS):
            used = chunk.targets[chunk.operations == operation]
            self._check_range(used, len(self.names.table_of(operation)))

    def _check_range(self, numbers: Numbers, n_names: int) -> None:
        if len(numbers) and (numbers.min() < 0 or numbers.max() >= n_names):
            raise self._damaged("an event with a name that does not exist")

    def _exactly(self, n_bytes: int) -> bytes:
        found = self._file.read(n_bytes)
        if len(found) < n_bytes:
            raise self._damaged("it is cut off")
        return found

    def _damaged(self, why: str) -> UsageError:
        return UsageError(f"{self._path}: damaged trace: {why}")


def is_binary(beginning: bytes) -> bool:
    """Whether a file that begins so claims to be a binary trace."""
    return beginning.startswith(MAGIC)


