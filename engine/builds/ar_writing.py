"""A static library's bytes, with the index of symbols that linkers go by.

    archive_bytes([("m.o", object bytes), ...])

    "!<arch>\n"  { 60-byte header, bytes, pad to even } ...
    member "/SYM64/"  u64 big-endian count, offsets of headers, NUL-terminated names
    member "//"       names, each ended by "/\n"

Source: the common GNU/System V archive format as `ar(5)` describes it.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Final

from irsan.engine.inputs.ar_file import HEADER_BYTES, MAGIC
from irsan.engine.inputs.elf_file import is_elf
from irsan.engine.inputs.linked_archives import object_names

_WORD_BYTES: Final = 8


def archive_bytes(members: Sequence[tuple[str, bytes]]) -> bytes:
    """The archive of (name, bytes) in order; only objects of this machine are in the index."""
    names = b"".join(name.encode(errors="surrogateescape") + b"/\n" for name, _ in members)
    defined = [sorted(object_names(raw, name).defined) if is_elf(raw) else []
               for name, raw in members]  # fmt: skip
    symbols = b"".join(name.encode(errors="surrogateescape") + b"\0"
                       for row in defined for name in row)  # fmt: skip
    n_symbols = sum(map(len, defined))
    first = len(MAGIC) + _padded(HEADER_BYTES + _WORD_BYTES * (1 + n_symbols) + len(symbols))
    at, name_at = first + _padded(HEADER_BYTES + len(names)), 0
    body: list[bytes] = []
    offsets: list[int] = []
    for (name, raw), row in zip(members, defined, strict=True):
        offsets += [at] * len(row)
        body.append(_member(f"/{name_at}", raw))
        name_at += len(name.encode(errors="surrogateescape")) + 2
        at += len(body[-1])
    index = struct.pack(f">{1 + n_symbols}Q", n_symbols, *offsets) + symbols
    return b"".join([MAGIC, _member("/SYM64/", index), _member("//", names), *body])


def _member(field: str, raw: bytes) -> bytes:
    head = f"{field:<16}{0:<12}{0:<6}{0:<6}{644:<8}{len(raw):<10}`\n".encode()
    return head + raw + b"\n" * (len(raw) & 1)


def _padded(size: int) -> int:
    return size + (size & 1)
