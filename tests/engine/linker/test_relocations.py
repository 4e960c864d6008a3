"""The vectorised pass stores what the ABI's formulas say, one relocation at a time."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.engine.linker import relocations
from irsan.engine.linker.relocations import Fixups
from tests.oracles.relocation import FORMULAS, Field, field_bytes

NEAR = st.integers(0, 2**31 - 1)
FAR = st.integers(0, 2**47)


@st.composite
def fields(draw: st.DrawFn) -> list[Field]:
    rows = []
    got = draw(NEAR)
    for number in range(draw(st.integers(1, 12))):
        symbol = draw(st.one_of(NEAR, FAR, st.integers(0, 300)))
        rows.append(
            Field(
                kind=draw(st.sampled_from(sorted(FORMULAS))),
                place=16 * number,
                addend=draw(st.integers(-(2**31), 2**31 - 1)),
                symbol=symbol,
                stub=draw(NEAR),
                slot=draw(NEAR),
                got=got,
                size=draw(st.integers(0, 5000)),
            )
        )
    return rows


def table(rows: list[Field]) -> Fixups:
    kinds = np.array([row.kind for row in rows], np.int64)
    zeros = np.zeros(len(rows), np.int64)
    addends = np.array([row.addend for row in rows], np.int64)
    base = np.array([relocations.TABLE[row.kind][1] for row in rows], np.int64)
    width = np.array([relocations.TABLE[row.kind][2] for row in rows], np.int64)
    return Fixups(zeros, zeros, kinds, zeros, zeros, addends, zeros, base, width)


def base_of(row: Field) -> int:
    chosen = {
        relocations.SYMBOL: row.symbol,
        relocations.BRANCH: row.stub,
        relocations.GOT_SLOT: row.slot,
        relocations.GOT_BASE: row.got,
        relocations.SIZE: row.size,
    }
    return chosen[relocations.TABLE[row.kind][1]]


@settings(max_examples=300, deadline=None)
@given(fields())
def test_fields_match_the_formulas(rows: list[Field]) -> None:
    fixups = table(rows)
    place = np.array([row.place for row in rows], np.int64)
    base = np.array([base_of(row) for row in rows], np.int64)
    values = relocations.field_values(fixups, base, place, rows[0].got)
    bad = relocations.out_of_range(fixups, values)
    memory = np.full(16 * len(rows), 0xEE, np.uint8)
    relocations.write_fields(fixups.take(~bad), values[~bad], place[~bad], memory)
    for row, is_bad in zip(rows, bad.tolist(), strict=True):
        expected = field_bytes(row)
        assert is_bad == (expected is None)
        if expected is not None:
            stored = memory[row.place : row.place + 16].tobytes()
            assert stored == expected + b"\xee" * (16 - len(expected))


def test_unknown_types_are_named() -> None:
    assert relocations.relocation_name(2) == "R_X86_64_PC32"
    assert relocations.relocation_name(36) == "relocation type 36"
