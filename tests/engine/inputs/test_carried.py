"""Records of IR in native files: what goes in comes out, through linkers and damage."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan.engine.inputs.carried import (
    SECTION,
    CarriedUnit,
    carried_in_place,
    carried_unit,
    carries,
    decode_carried,
    read_carried,
)
from irsan.engine.inputs.elf_file import sections, with_section
from irsan.errors import UnsupportedError
from tests.support.jit import compile_text

NAMES = st.frozensets(st.sampled_from(("address", "thread", "leak")))
NAME_TABLES = (".strtab", ".shstrtab")  # LLVM keeps both kinds of names in one
UNITS = st.builds(
    carried_unit, kind=st.sampled_from(("ir", "object")), path=st.text(max_size=20),
    language=st.sampled_from(("c", "c++", "asm")),
    body=st.binary(max_size=200), marked=NAMES, sanitize=NAMES, opt_level=st.integers(0, 3),
)  # fmt: skip


@cache
def small_object() -> bytes:
    return compile_text("define i32 @f() { ret i32 1 }")


def without_key(unit: CarriedUnit) -> tuple[object, ...]:
    return (unit.kind, unit.path, unit.language, unit.body, unit.marked,
            unit.sanitize, unit.opt_level)  # fmt: skip


@given(st.lists(UNITS, max_size=4), st.integers(0, 9))
def test_what_a_linker_joined_is_read_in_order(units: list[CarriedUnit], gap: int) -> None:
    joined = b"".join(unit.encoded() + bytes(gap) for unit in units)
    found = decode_carried(with_section(small_object(), SECTION, joined), "a.o")
    assert [without_key(one) for one in found] == [without_key(one) for one in units]
    assert all(len(one.key) == 64 for one in found)


@given(st.binary(max_size=100), st.integers(1, 4))
def test_a_section_moves_nothing(content: bytes, count: int) -> None:
    plain = small_object()
    raw = plain
    for index in range(count):
        raw = with_section(raw, f".more{index}", content)
    rows = list(sections(raw))
    before = [row for row in sections(plain) if row[0] not in NAME_TABLES]
    assert [row for row in rows[:-count] if row[0] not in NAME_TABLES] == before
    for name, offset, size in rows[-count:]:
        assert name.startswith(".more") and raw[offset : offset + size] == content


def test_native_code_carries_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.o").write_bytes(small_object())
    (tmp_path / "empty").write_bytes(b"")
    assert not carries(tmp_path / "a.o") and not carries(tmp_path / "empty")
    assert not carries(tmp_path / "none") and read_carried(tmp_path / "a.o") == []


@pytest.mark.parametrize("byte", [1, 127, 128, 255])
def test_a_table_of_sections_anywhere_is_named(byte: int) -> None:
    raw = bytearray(small_object())
    raw[47] = byte  # the highest of the eight of e_shoff
    with pytest.raises(UnsupportedError, match="behind its end"):
        list(sections(bytes(raw)))


@given(st.data())
def test_damage_is_named(data: st.DataObject) -> None:
    unit = carried_unit("ir", "a.c", "c", b"BC\xc0\xde" * 10)
    raw = bytearray(with_section(small_object(), SECTION, unit.encoded()))
    at = data.draw(st.integers(0, len(raw) - 1))
    raw[at] = data.draw(st.integers(0, 255))
    try:
        assert all(one.body for one in decode_carried(bytes(raw), "a.o"))
    except UnsupportedError as error:
        assert "a.o" in str(error) or "ELF" in str(error)


@given(st.lists(UNITS, max_size=3))
def test_bodies_that_stay_in_their_file_are_the_same(units: list[CarriedUnit]) -> None:
    raw = with_section(small_object(), SECTION, b"".join(unit.encoded() for unit in units))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "prog")
        path.write_bytes(raw)
        found = carried_in_place(path)
        assert [without_key(one) for one in found] == [without_key(one) for one in units]
        assert [one.encoded() for one in found] == [one.encoded() for one in units]


@pytest.mark.parametrize("replaced", [b"", b"\0" * 100_000])
def test_a_body_whose_file_was_replaced_is_refused(tmp_path: Path, replaced: bytes) -> None:
    path = tmp_path / "prog"
    unit = carried_unit("ir", "a.c", "c", b"BC\xc0\xde" * 10)
    path.write_bytes(with_section(small_object(), SECTION, unit.encoded()))
    (found,) = carried_in_place(path)
    path.write_bytes(replaced)
    with pytest.raises(UnsupportedError, match="prog"):
        assert found.body


def test_another_version_is_named() -> None:
    unit = carried_unit("ir", "a.c", "c", b"BC\xc0\xde")
    raw = with_section(small_object(), SECTION, unit.encoded().replace(b"IRSANCC1", b"IRSANCC9"))
    with pytest.raises(UnsupportedError, match=r"a\.o.*another version"):
        decode_carried(raw, "a.o")
