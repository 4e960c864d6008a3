"""`read_bitstream`: magic, wrapper header, one module per file, and the choice of a decoder."""

from __future__ import annotations

import struct

import pytest

from irsan.ir.bitstream import BitstreamError, Block, Record, read_bitstream, reader
from irsan.ir.bitstream.errors import SENTENCES, Fault
from tests.oracles.bitstream import BitWriter


def make_stream(*block_ids: int) -> bytes:
    writer = BitWriter().magic()
    for block_id in block_ids:
        writer.enter(block_id, 3)
        writer.unabbreviated(1, [2])
        writer.end()
    return writer.to_bytes()


def wrap(stream: bytes, offset: int, size_bytes: int) -> bytes:
    header = struct.pack("<5I", 0x0B17C0DE, 0, offset, size_bytes, 7)
    return header.ljust(offset, b"\0") + stream


def test_wrapped_stream_reads_like_the_bare_one() -> None:
    stream = make_stream(13, 8, 23)
    wrapped = wrap(stream, 24, len(stream)) + b"garbage after the stream"
    assert read_bitstream(wrapped) == read_bitstream(stream)


@pytest.mark.parametrize(
    ("raw", "fault"),
    [
        (b"", Fault.NOT_BITCODE),
        (b"BC", Fault.NOT_BITCODE),
        (b"; ModuleID = 'a'", Fault.NOT_BITCODE),
        (b"\x7fELF\x02\x01\x01", Fault.NOT_BITCODE),
        (b"\xde\xc0\x17\x0b", Fault.WRAPPER_SHORT),
        (wrap(make_stream(8), 20, 999), Fault.WRAPPER_RANGE),
        (wrap(make_stream(8), 20, 0), Fault.NOT_BITCODE),
    ],
)
def test_not_bitcode(raw: bytes, fault: Fault) -> None:
    with pytest.raises(BitstreamError) as caught:
        read_bitstream(raw)
    assert caught.value.fault == fault
    assert caught.value.exit_status == 2
    assert str(caught.value).startswith("bitcode: top level, bit 0: " + SENTENCES[fault])


def test_two_modules_are_refused() -> None:
    with pytest.raises(BitstreamError, match="more than one module; join them with llvm-link"):
        read_bitstream(make_stream(13, 8, 13, 8, 23))


def test_no_blocks() -> None:
    assert read_bitstream(make_stream()) == []


def test_big_streams_take_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = make_stream(13, 8, 23)
    blocks = read_bitstream(stream)
    monkeypatch.setattr(reader, "KERNEL_FROM_BYTES", 0)
    monkeypatch.setattr(reader, "decode_plain", None)
    assert read_bitstream(stream) == blocks


def test_block_helpers() -> None:
    record, other = Record(1, [], None, 96, 3), Record(2, [], None, 99, 3)
    inner = Block(9, 160)
    block = Block(8, 96, [record, inner, other])
    assert list(block.records()) == [record, other]
    assert list(block.records(2)) == [other]
    assert list(block.blocks()) == list(block.blocks(9)) == [inner]
    assert list(block.blocks(10)) == []


def test_every_fault_has_a_sentence() -> None:
    assert set(SENTENCES) == set(Fault)


def test_reading_does_not_import_numba_for_small_files() -> None:
    import subprocess
    import sys

    program = (
        "import sys; from irsan.ir.bitstream import read_bitstream;"
        "read_bitstream(b'BC\\xc0\\xde'); assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
