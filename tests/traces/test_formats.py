"""The two forms of a trace: strict reading, round trips, damage refused."""

from __future__ import annotations

import gzip
import os
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.errors import UsageError
from irsan.traces.binary_format import MAGIC, BinaryTrace, decode_column, encode_column
from irsan.traces.events import KEYWORDS
from irsan.traces.std_format import StdTrace, chunk_to_std
from irsan.traces.trace_file import convert_trace, open_trace
from tests.support.traces import execution, to_std

EVERY_KIND = b"""T0|fork(T1)|0
T1|begin|7
T1|begin(main)|-7
T1|r(a.b[3])|+12
my thread|acq(m(x))|007
my thread|w(a.b[3])|12
my thread|rel(m(x))|12
T1|dummy(?)|3
T1|end|4
\xff\xfe|r(\xc3\xa9)|5
T0|join(T1)|99999999999999999999
"""


def text_of(path: Path, block_bytes: int = 1 << 20) -> bytes:
    with StdTrace(path, path.open("rb"), block_bytes) as trace:
        return b"".join(chunk_to_std(chunk, trace.names) for chunk in trace.chunks())


def convert(source: Path, target: Path, form: str | None = None) -> int:
    return convert_trace(source, target, form, lambda _: None)


@pytest.mark.parametrize("block_bytes", [48, 97, 1 << 20])
def test_std_text_survives_reading(tmp_path: Path, block_bytes: int) -> None:
    path = tmp_path / "a.std"
    path.write_bytes(EVERY_KIND)
    assert text_of(path, block_bytes) == EVERY_KIND


def test_gzip_line_ends_and_a_last_line_without_one(tmp_path: Path) -> None:
    path = tmp_path / "a.std"
    path.write_bytes(gzip.compress(EVERY_KIND))
    assert text_of(path) == EVERY_KIND
    path.write_bytes(EVERY_KIND.replace(b"\n", b"\r\n").removesuffix(b"\r\n"))
    assert text_of(path) == EVERY_KIND
    path.write_bytes(b"")
    assert text_of(path) == b""


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"", "three fields"),
        (b"T1|w(x)", "three fields"),
        (b"T1|w(x)|1|2", "three fields"),
        (b"T1|w(x|y)|2", "three fields"),
        (b"|w(x)|1", "no name"),
        (b"T1|write(x)|1", "unknown operation"),
        (b"T1||1", "unknown operation"),
        (b"T1|acquire(x)|1", "unknown operation"),
        (b"T1|lock(x)|1", "unknown operation"),
        (b"T1|w|1", "needs a target"),
        (b"T1|w()|1", "needs a target"),
        (b"T1|w(x|1", "needs a target"),
        (b"T1|w(a b)|1", "needs a target"),
        (b"T1|fork|1", "needs a target"),
        (b"T1|dummy|1", "needs a target"),
        (b"T1|w(x)|", "decimal"),
        (b"T1|w(x)|-", "decimal"),
        (b"T1|w(x)|a.c:3", "decimal"),
        (b"T1|w(x)| 1", "decimal"),
    ],
)
def test_a_malformed_line_is_named(tmp_path: Path, line: bytes, why: str) -> None:
    path = tmp_path / "a.std"
    path.write_bytes(EVERY_KIND + line + b"\n" + EVERY_KIND)
    with pytest.raises(UsageError, match=rf"a\.std:12: .*{why}"):
        text_of(path)


def test_a_line_without_end_is_refused_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "a.std"
    path.write_bytes(b"x" * 100_000)
    with pytest.raises(UsageError, match=r"a\.std:1: longer than 1024 bytes"):
        text_of(path, 1024)


def test_damaged_gzip_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.std.gz"
    packed = gzip.compress(EVERY_KIND)
    for damaged in (packed[:-9], packed[:20] + b"\0\0\0" + packed[23:]):
        path.write_bytes(damaged)
        with pytest.raises(UsageError, match="damaged gzip"):
            text_of(path)


@given(st.lists(st.integers(-(2**31), 2**31 - 1)))
def test_columns_survive(values: list[int]) -> None:
    column = np.array(values, np.int32)
    stored = np.frombuffer(encode_column(column), np.uint8)
    assert decode_column(stored).tolist() == values


def test_both_conversions_give_the_same_bytes_back(tmp_path: Path) -> None:
    first, packed, again = (tmp_path / name for name in ("a.std", "b.irt", "c.std"))
    first.write_bytes(EVERY_KIND)
    assert convert(first, packed) == 11
    assert packed.read_bytes().startswith(MAGIC)
    assert convert(packed, again) == 11
    assert again.read_bytes() == EVERY_KIND


@given(st.binary(max_size=200))
@settings(max_examples=60, deadline=None)
def test_any_execution_survives_the_binary_form(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    folder = tmp_path_factory.mktemp("trip")
    text = to_std(execution(data, 5, 3, 9))
    (folder / "a").write_text(text)
    convert(folder / "a", folder / "b", "binary")
    convert(folder / "b", folder / "c.gz", "std")
    assert gzip.decompress((folder / "c.gz").read_bytes()).decode() == text


def test_many_frames_and_small_files(tmp_path: Path) -> None:
    """Over a million bytes of text: several frames, names in each of them, a tenth of the size."""
    lines = [f"T{i % 9}|{'rw'[i % 2]}(x{i // 100})|{i % 500}\n" for i in range(120_000)]
    source, packed = tmp_path / "a.std", tmp_path / "a.irt"
    source.write_text("".join(lines))
    assert convert(source, packed) == 120_000
    assert packed.stat().st_size * 10 < source.stat().st_size
    with BinaryTrace(packed, packed.open("rb")) as trace:
        assert sum(1 for _ in trace.chunks()) > 1
    convert(packed, tmp_path / "b.std")
    assert (tmp_path / "b.std").read_bytes() == source.read_bytes()


def test_a_pipe_is_as_good_as_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.std").write_bytes(EVERY_KIND)
    convert(tmp_path / "a.std", tmp_path / "b.irt")
    for name in ("a.std", "b.irt"):
        reading, writing = os.pipe()
        os.write(writing, (tmp_path / name).read_bytes())
        os.close(writing)
        with open_trace(Path(f"/dev/fd/{reading}")) as trace:
            assert b"".join(chunk_to_std(c, trace.names) for c in trace.chunks()) == EVERY_KIND
            assert trace.position() == 0
        os.close(reading)


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    (tmp_path / "a.std").write_bytes(EVERY_KIND)
    convert(tmp_path / "a.std", tmp_path / "a.irt")
    return tmp_path / "a.irt"


def read_all(path: Path) -> None:
    with open_trace(path) as trace:
        for _ in trace.chunks():
            pass


def test_a_cut_binary_file_is_refused_wherever_it_is_cut(packed: Path) -> None:
    whole = packed.read_bytes()
    for length in range(len(MAGIC), len(whole)):
        packed.write_bytes(whole[:length])
        with pytest.raises(UsageError, match="damaged trace"):
            read_all(packed)
    packed.write_bytes(whole + b"\0")
    with pytest.raises(UsageError, match="its end does not fit"):
        read_all(packed)


def test_a_flipped_bit_is_refused_wherever_it_is(packed: Path) -> None:
    whole = packed.read_bytes()
    for at in range(len(whole)):
        packed.write_bytes(whole[:at] + bytes([whole[at] ^ 16]) + whole[at + 1 :])
        with pytest.raises(UsageError):
            read_all(packed)


def test_another_version_is_named(packed: Path) -> None:
    whole = packed.read_bytes()
    packed.write_bytes(MAGIC + struct.pack("<H", 7) + whole[len(MAGIC) + 2 :])
    with pytest.raises(UsageError, match="a trace of version 7"):
        read_all(packed)


def test_a_conversion_that_fails_leaves_the_target_alone(tmp_path: Path) -> None:
    bad, target = tmp_path / "a.std", tmp_path / "b.irt"
    bad.write_bytes(EVERY_KIND + b"?\n")
    target.write_text("precious")
    with pytest.raises(UsageError, match=r"a\.std:12"):
        convert(bad, target)
    assert target.read_text() == "precious"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.std", "b.irt"]
    with pytest.raises(UsageError, match="onto itself"):
        convert(bad, bad)
    with pytest.raises(UsageError, match="No such file"):
        convert(tmp_path / "none", target)


def test_keywords_are_numbered_as_the_parser_numbers_them(tmp_path: Path) -> None:
    path = tmp_path / "a.std"
    for number, keyword in enumerate(KEYWORDS):
        path.write_text(f"T|{keyword}(x)|1\n")
        with open_trace(path) as trace:
            (chunk,) = trace.chunks()
        assert chunk.operations.tolist() == [number]
