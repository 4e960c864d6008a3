"""Bitcode of an LLVM that is newer than the compiler which is to read it, named as such.

    'B' 'C' 0xC0 0xDE  block IDENTIFICATION { STRING "LLVM19.1.7", EPOCH }  MODULE ...

LLVM reads all older bitcode. It is only asked when it has refused a file, as it may understand a
newer one.

Source: the LLVM documents, "LLVM Bitcode File Format", Identification Block.
"""

from __future__ import annotations

import re
import struct
from pathlib import Path
from typing import Final

from irsan.engine.builds.toolchain import Toolchain
from irsan.engine.inputs.ar_file import BITCODE_MAGICS
from irsan.errors import UsageError

_MAGIC, _WRAPPER_MAGIC = BITCODE_MAGICS
_IDENTIFICATION: Final = 13
_STRING: Final = 1
_HEAD_BYTES: Final = 12  # magic, what enters the block, its length in words
_PRODUCER: Final = re.compile(r"LLVM\D*(\d+)")


def refuse_newer_bitcode(path: Path, title: str, toolchain: Toolchain) -> None:
    """UsageError when a newer LLVM has made this file; nothing for a file that is no bitcode."""
    try:
        producer = producer_major(path.read_bytes())
    except OSError:
        return
    if producer is not None and producer > toolchain.version:
        raise UsageError(
            f"{title}: made by LLVM {producer}; {toolchain.title} reads up to "
            f"{toolchain.version}; recompile it with an older clang, or with irsan-cc"
        )


def producer_major(raw: bytes) -> int | None:
    """The version of the LLVM that wrote this bitcode, None where it does not say."""
    from irsan.ir.bitstream import BitstreamError, read_bitstream

    if raw[:4] == _WRAPPER_MAGIC and len(raw) >= _HEAD_BYTES:
        raw = raw[struct.unpack_from("<I", raw, 8)[0] :]
    if raw[:4] != _MAGIC or len(raw) < _HEAD_BYTES:
        return None
    n_words = struct.unpack_from("<I", raw, _HEAD_BYTES - 4)[0]
    try:
        blocks = read_bitstream(raw[: _HEAD_BYTES + 4 * n_words])
    except BitstreamError:
        return None
    for block in blocks:
        for record in block.records():
            if block.block_id == _IDENTIFICATION and record.code == _STRING:
                found = _PRODUCER.match("".join(map(chr, record.operands)))
                return int(found[1]) if found else None
    return None
