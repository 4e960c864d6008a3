"""Line tables of generated objects: every instruction of a function has the line it was given."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irsan.engine.findings.fault_lines import FaultLines, FaultSite
from irsan.engine.linker.elf import STT_FUNC, ObjectFile
from irsan.engine.program_image.line_tables import Row, line_rows
from irsan.engine.target import TRIPLE, target_machine

# Lines far apart, backwards, and beyond what one opcode can say.
LINES = [7, 90_000_000, 90_000_001, 3, 130_000_000, 129_999_999, 64, 63]
BASE = 0x6400_0000


def module_text(lines: list[int], column: int = 2) -> str:
    """Two functions, one of them in a section of its own, with a store per line."""
    body = [f"store volatile i32 {i}, ptr %p, !dbg !{10 + i}" for i in range(len(lines))]
    places = [
        f"!{10 + i} = !DILocation(line: {line}, column: {column}, scope: !1)"
        for i, line in enumerate(lines)
    ]
    return "\n".join([
        f'target triple = "{TRIPLE}"', "$second = comdat any",
        "define void @first(ptr %p) !dbg !1 {", *body, "ret void, !dbg !10\n}",
        "define linkonce_odr void @second(ptr %p) comdat !dbg !5 {",
        "store volatile i8 1, ptr %p, !dbg !6\nret void, !dbg !6\n}",
        "!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!3, !4}",
        '!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, '
        "emissionKind: LineTablesOnly)",
        '!1 = distinct !DISubprogram(name: "first", file: !2, type: !7, '
        "spFlags: DISPFlagDefinition, unit: !0)",
        '!2 = !DIFile(filename: "sites", directory: "")',
        '!3 = !{i32 2, !"Debug Info Version", i32 3}\n!4 = !{i32 7, !"Dwarf Version", i32 4}',
        '!5 = distinct !DISubprogram(name: "second", file: !2, type: !7, '
        "spFlags: DISPFlagDefinition, unit: !0)",
        "!6 = !DILocation(line: 555, column: 1, scope: !5)\n!7 = !DISubroutineType(types: null)",
        *places, "",
    ])  # fmt: skip


def make_object(text: str) -> bytes:
    import llvmlite.binding as llvm

    machine = target_machine()
    return bytes(machine.emit_object(llvm.parse_assembly(text)))


def placed(item: ObjectFile) -> np.ndarray[Any, Any]:
    """Addresses of symbols when every section lies 64 KiB behind the one before."""
    sections = item.symbol_sections.astype(np.int64)
    return BASE + sections * 0x1_0000 + item.symbols["value"].astype(np.int64)


def function_range(item: ObjectFile, name: str) -> tuple[int, int]:
    for index in np.flatnonzero(item.symbols["info"] & 15 == STT_FUNC).tolist():
        if item.symbol_name(index) == name:
            lo = int(placed(item)[index])
            return lo, lo + int(item.symbols["size"][index])
    raise AssertionError(name)


def row_at(rows: list[Row], addr: int) -> Row:
    return max(row for row in rows if row.address <= addr)


def test_lines_of_a_function_come_in_their_order_whatever_their_distance() -> None:
    item = ObjectFile.parse(make_object(module_text(LINES)))
    rows = line_rows(item, placed(item))
    lo, hi = function_range(item, "first")
    seen = [row_at(rows, addr).line for addr in range(lo, hi)]
    assert list(dict.fromkeys(seen)) == LINES
    assert row_at(rows, hi).line == 0
    assert {row.column for row in rows if row.line in LINES and lo < row.address < hi} == {2}


def test_a_function_in_a_section_of_its_own_has_its_lines_there() -> None:
    item = ObjectFile.parse(make_object(module_text(LINES)))
    rows = line_rows(item, placed(item))
    lo, hi = function_range(item, "second")
    assert {row_at(rows, addr)[1:] for addr in range(lo, hi)} == {(555, 1)}
    assert row_at(rows, hi).line == 0


def test_an_object_without_lines_has_no_rows() -> None:
    item = ObjectFile.parse(make_object(f'target triple = "{TRIPLE}"\n@g = global i32 1\n'))
    assert line_rows(item, placed(item)) == []


@pytest.mark.skipif(shutil.which("llvm-dwarfdump-19") is None, reason="no llvm-dwarfdump")
def test_rows_are_those_of_llvms_own_reader(tmp_path: Path) -> None:
    path = tmp_path / "a.o"
    path.write_bytes(make_object(module_text(LINES)))
    command = ["llvm-dwarfdump-19", "--debug-line", str(path)]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    lines = [text.split() for text in shown.splitlines() if text.startswith("0x00")]
    wanted = [(int(words[1]), int(words[2])) for words in lines if "end_sequence" not in words]
    item = ObjectFile.parse(path.read_bytes())
    assert [row[1:] for row in line_rows(item, placed(item)) if row.line] == wanted


def test_code_behind_the_functions_of_a_section_has_no_site() -> None:
    """Assembly of checks puts some there (glue/checks/compact.py), which is no function's."""
    behind = '".subsection 1\\0A nop\\0A nop\\0A .previous"'
    assembly = f'call void asm sideeffect {behind}, ""(), !dbg !10\n'
    text = module_text(LINES).replace("ret void, !dbg !10\n", f"{assembly}ret void, !dbg !10\n")
    raw = make_object(text)
    linker: Any = OneObject(raw)
    _, hi = function_range(linker.item, "first")
    code = next(n for n, name in enumerate(linker.item.section_names) if name == ".text")
    end = BASE + code * 0x1_0000 + int(linker.item.sections["size"][code])
    assert end >= hi + 2
    lines = FaultLines(linker, [raw])
    assert lines.site_at(hi - 1) is not None
    assert {lines.site_at(addr) for addr in range(hi, end)} == {None}


class OneObject:
    """What FaultLines asks of a linker."""

    def __init__(self, raw: bytes) -> None:
        self.item = ObjectFile.parse(raw)

    def symbol_addresses(self, number: int) -> np.ndarray[Any, Any]:
        assert number == 0
        return placed(self.item)


def test_sites_by_address() -> None:
    raw = make_object(module_text([41], column=2))
    linker: Any = OneObject(raw)
    lines = FaultLines(linker, [raw])
    lo, hi = function_range(linker.item, "first")
    assert lines.site_at(lo) == FaultSite(41, has_frame=False) == lines.site_at(hi - 1)
    second, _ = function_range(linker.item, "second")
    assert lines.site_at(second) == FaultSite(555, has_frame=True)
    assert lines.site_at(hi) is None
    assert lines.site_at(BASE - 1) is None
