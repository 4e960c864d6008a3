"""The memory table: whose bytes they are, and their shadow."""

from __future__ import annotations

from dataclasses import replace

from irsan.reports.html.memory_table import memory_table
from irsan.reports.model.memory import MemoryDump, MemoryField, MemoryRow
from irsan.reports.model.report import Finding, HeapRegion, ShadowDump, ShadowRow

LO = 0x4000001000
DIGITS = " ".join(f"{n:02x}" for n in range(16))


def finding() -> Finding:
    return Finding(
        "AddressSanitizer", "heap-buffer-overflow",
        locations=(HeapRegion(LO + 4, "inside", 0, LO + 4, LO + 8),),
        shadow=ShadowDump(LO, (ShadowRow(LO, bytes([4, 0xFA])),)),
        memory=MemoryDump(LO + 7, LO + 9, (MemoryRow(LO, DIGITS),)),
    )  # fmt: skip


def test_each_byte_knows_what_it_belongs_to() -> None:
    table = memory_table(finding())
    assert table is not None
    (row,) = table.rows
    assert [(run.style, run.text) for run in row.runs] == [
        ("", "00 01 02 03"), ("object", "04 05 06"), ("object accessed", "07"),
        ("accessed", "08"), ("", " ".join(f"{n:02x}" for n in range(9, 16))),
    ]  # fmt: skip
    assert row.shadow == ("04", "fa") and table.has_shadow
    assert table.objects == (f"heap block: [{LO + 4:#x}, {LO + 8:#x}), 4 bytes",)


def test_fields_are_told_where_they_begin_and_of_their_bytes() -> None:
    told = finding()
    assert told.memory is not None
    fields = (MemoryField("s.old", LO - 4, 8), MemoryField("s.key", LO + 4, 4))
    table = memory_table(replace(told, memory=replace(told.memory, fields=fields)))
    assert table is not None and table.has_fields
    (row,) = table.rows
    assert row.fields == ("s.old (from 4 bytes before)", "s.key (+4)")
    assert [run.title for run in row.runs][:3] == [
        "s.old", "heap block, s.key", "the access; heap block, s.key",
    ]  # fmt: skip


def test_no_memory_no_table() -> None:
    assert memory_table(Finding("AddressSanitizer", "SEGV")) is None
