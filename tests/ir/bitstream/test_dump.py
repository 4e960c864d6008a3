"""The dump: names, text, blobs, and BLOCKINFO's own names before LLVM's."""

from __future__ import annotations

import pytest

from irsan.ir.bitstream import BitstreamError
from irsan.ir.bitstream import encoding as e
from irsan.ir.bitstream.dump import dump_bitstream
from tests.oracles.bitstream import BitWriter


def test_blocks_records_and_text() -> None:
    writer = BitWriter().magic()
    writer.enter(8, 3)
    writer.unabbreviated(1, [2])
    writer.unabbreviated(16, list(b'a "b".c'))
    writer.unabbreviated(2, [7, 200])
    writer.unabbreviated(99, [])
    writer.enter(14, 3)
    writer.unabbreviated(1, [5, *b"name"])
    writer.end()
    writer.end()
    assert list(dump_bitstream(writer.to_bytes())) == [
        "MODULE_BLOCK (id 8), bit 96 {",
        "  VERSION (1), bit 96: 2",
        '  SOURCE_FILENAME (16), bit 117: "a \\"b\\".c"',
        "  TRIPLE (2), bit 216: 7 200",
        "  RECORD (99), bit 249",
        "  VALUE_SYMTAB_BLOCK (id 14), bit 320 {",
        '    ENTRY (1), bit 320: 5 "name"',
        "  }",
        "}",
    ]


def test_blob_and_names_of_the_stream() -> None:
    abbreviation = [(e.LITERAL, 5), (e.FIXED, 8), (e.BLOB, 0)]
    writer = BitWriter().magic()
    writer.enter(e.BLOCKINFO_ID, 2)
    writer.unabbreviated(e.BLOCKINFO_SETBID, [77])
    writer.unabbreviated(e.BLOCKINFO_BLOCKNAME, list(b"SHELF"))
    writer.unabbreviated(e.BLOCKINFO_SETRECORDNAME, [5, *b"BOOK"])
    writer.end()
    writer.enter(77, 3)
    writer.define(abbreviation)
    writer.abbreviated(4, abbreviation, [5, 9], b"pages")
    writer.unabbreviated(6, [1, *b"text"])
    writer.end()
    lines = list(dump_bitstream(writer.to_bytes()))
    assert '  BLOCKNAME (2), bit 122: "SHELF"' in lines
    assert lines[-4].startswith("SHELF (id 77), bit ")
    assert lines[-3].startswith("  BOOK (5), abbreviation 4, bit ")
    assert lines[-3].endswith(": 9 blob of 5 bytes")
    assert lines[-2].endswith(': 1 "text"')


def test_malformed_is_refused_before_the_first_line() -> None:
    with pytest.raises(BitstreamError):
        dump_bitstream(b"BC\xc0\xde" + bytes(8))
