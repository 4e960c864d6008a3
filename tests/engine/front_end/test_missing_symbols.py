"""A name that nothing defines is reported with the place that uses it."""

from __future__ import annotations

from pathlib import Path

import pytest

from irsan.engine.front_end.compiled_unit import CompiledUnit
from irsan.engine.front_end.ir_input import text_to_bitcode
from irsan.engine.front_end.missing_symbols import symbol_of, with_places
from irsan.errors import MissingSymbolsError
from tests.support.debug_text import LINE, debug_text

TEXT = f"""
@table = global ptr @told
declare void @called()
declare void @told()
declare ptr @llvm.objc.retain(ptr)
define void @caller() !dbg !4 {{
  call void @called(), !dbg !7
  call void @called(), !dbg !8
  ret void, !dbg !8
}}
define void @plain() {{
  %kept = call ptr @llvm.objc.retain(ptr null)
  ret void
}}
{debug_text("caller")}
"""


@pytest.fixture
def unit() -> CompiledUnit:
    path = Path("a.ll")
    return CompiledUnit(path, text_to_bitcode(TEXT.encode(), path), "ir", "")


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("called", f"caller, /a.c:{LINE}:3"),
        ("objc_retain", "function plain"),
        ("told", "a.o"),  # not in code: the linker's word stays
    ],
)
def test_the_first_place_is_named(unit: CompiledUnit, name: str, place: str) -> None:
    told = with_places(MissingSymbolsError({name: "a.o", "other": "b.o"}), [unit])
    assert told.wanted_by == {name: place, "other": "b.o"}
    assert f"undefined symbols: {name} (needed by {place}); other (needed by b.o)" in str(told)
    assert told.exit_status == 69


def test_more_than_a_screen_are_counted() -> None:
    told = str(MissingSymbolsError({f"name{number}": "a.o" for number in range(12)}))
    assert "name9 (needed by a.o) and 2 more" in told
    assert "name10" not in told


def test_symbols_of_objective_c() -> None:
    assert symbol_of("llvm.objc.retain.autorelease") == "objc_retain_autorelease"
    assert symbol_of("objc_retain") == "objc_retain"
