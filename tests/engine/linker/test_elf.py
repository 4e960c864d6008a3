"""Object files: what the parser says against what was compiled, and against readelf."""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.engine.linker import elf
from irsan.engine.linker.elf import ObjectFile
from irsan.errors import UnsupportedError
from tests.support.jit import compile_text

TEXT = """
$inl = comdat any
@data = global [3 x i32] [i32 1, i32 2, i32 3]
@zeros = global [100 x i8] zeroinitializer
@shared = common global i32 0, align 4
@table = constant [2 x ptr] [ptr @data, ptr @inl]
@slot = thread_local global i32 9
@outside = external global ptr
@maybe = extern_weak global i32
define linkonce_odr i32 @inl() comdat { ret i32 4 }
define weak i32 @soft() { ret i32 1 }
define internal i32 @own() noinline { ret i32 2 }
define ptr @use() {
  %v = load ptr, ptr @outside
  %a = call i32 @own()
  %b = call i32 @soft()
  %s = icmp eq ptr @maybe, null
  ret ptr %v
}
"""


@pytest.fixture(scope="module")
def raw() -> bytes:
    return compile_text(TEXT)


def by_name(item: ObjectFile) -> dict[str, int]:
    return {item.symbol_name(i): i for i in range(1, len(item.symbols))}


def test_symbols_have_binding_type_and_section(raw: bytes) -> None:
    item = ObjectFile.parse(raw, "unit.o")
    names = by_name(item)

    def info(name: str) -> tuple[int, int]:
        value = int(item.symbols[names[name]]["info"])
        return value >> 4, value & 15

    assert info("data") == (elf.STB_GLOBAL, elf.STT_OBJECT)
    assert info("use") == (elf.STB_GLOBAL, elf.STT_FUNC)
    assert info("soft") == (elf.STB_WEAK, elf.STT_FUNC)
    assert info("own")[0] == elf.STB_LOCAL
    assert info("slot")[1] == elf.STT_TLS
    assert item.symbol_sections[names["shared"]] == elf.SHN_COMMON
    assert item.symbol_sections[names["outside"]] == elf.SHN_UNDEF
    assert item.section_names[int(item.symbol_sections[names["zeros"]])] == ".bss"
    section = int(item.symbol_sections[names["data"]])
    at = int(item.symbols[names["data"]]["value"])
    assert item.section_bytes(section)[at : at + 12] == b"\1\0\0\0\2\0\0\0\3\0\0\0"


def test_groups_and_relocations(raw: bytes) -> None:
    item = ObjectFile.parse(raw)
    assert [group.signature for group in item.groups if group.is_comdat] == ["inl"]
    members = [item.section_names[i] for i in item.groups[0].members]
    assert members[0] == ".text.inl"
    targets = {item.symbol_name(i) for i in item.relocations.symbol.tolist()}
    assert {"outside", "data", "inl"} <= targets


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"", "not an ELF"),
        (b"!<arch>\n", "not an ELF"),
        (b"\x7fELF\x01\x01" + bytes(60), "not a little-endian x86-64"),
        (b"\x7fELF\x02\x01" + bytes(10) + b"\x03\0\x3e\0" + bytes(44), "not a relocatable"),
    ],
)
def test_other_files_are_refused(raw: bytes, message: str) -> None:
    with pytest.raises(UnsupportedError, match=f"x.o is {message}"):
        ObjectFile.parse(raw, "x.o")


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_damage_never_escapes_as_another_error(raw: bytes, data: st.DataObject) -> None:
    damaged = bytearray(raw)
    for _ in range(data.draw(st.integers(1, 6))):
        damaged[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(64, len(raw)))
    try:
        ObjectFile.parse(bytes(damaged[:cut]))
    except UnsupportedError as error:
        assert str(error)


def test_more_relocations_than_a_file_can_have_are_refused(raw: bytes) -> None:
    damaged, headers = bytearray(raw), struct.unpack_from("<Q", raw, 0x28)[0]
    at = next(at for at in range(headers, len(raw), 64)
              if struct.unpack_from("<I", raw, at + 4)[0] == elf.SHT_RELA)  # fmt: skip
    struct.pack_into("<Q", damaged, at + 32, 1 << 40)
    with pytest.raises(UnsupportedError, match=r"\.rela.* ends behind the file"):
        ObjectFile.parse(bytes(damaged))


@pytest.mark.skipif(shutil.which("readelf") is None, reason="needs readelf")
def test_readelf_agrees(raw: bytes, tmp_path: Path) -> None:
    path = tmp_path / "unit.o"
    path.write_bytes(raw)
    item = ObjectFile.parse(raw)
    shown = subprocess.run(["readelf", "-sWS", path], capture_output=True, text=True, check=True)
    rows = re.findall(r"^ +\d+: ([0-9a-f]{16}) +(\d+) .* (\S*)$", shown.stdout, re.MULTILINE)
    assert len(rows) == len(item.symbols)
    values = [(int(value, 16), int(size)) for value, size, _ in rows]
    assert values == list(
        zip(item.symbols["value"].tolist(), item.symbols["size"].tolist(), strict=True)
    )
    assert f"There are {len(item.sections)} section headers" in shown.stdout
