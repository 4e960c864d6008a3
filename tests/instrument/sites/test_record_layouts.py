"""The fields of structures, out of the debug info that a compiler writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from irsan.engine.front_end.frontend import compile_to_ir
from irsan.engine.options import FrontendOptions
from irsan.instrument.sites.access_paths import declared_type
from irsan.instrument.sites.debug_types import element_type
from irsan.instrument.sites.record_layouts import MAX_FIELDS, RecordLayouts
from irsan.ir.reading import parse_ir_bitcode
from tests.support.irsan_runs import bundled_compiler

C = """
typedef struct { short x, y; } point;
struct node {
    int key; const point at; struct node *next[4];
    union { int whole; char bytes[4]; };
    unsigned low : 3, high : 5; point path[2];
} one, many[3];
struct none;
struct none *unknown;
struct { } empty;
int number;
"""
CPP = """
struct base { int first; static int shared; };
struct derived : base { long second; void work(); } one;
"""


def layouts(text: str, suffix: str, folder: Path) -> dict[str, str]:
    source = folder / f"p{suffix}"
    source.write_text(text)
    (unit,) = compile_to_ir([source], FrontendOptions(cc=bundled_compiler(), opt_level=0))
    found = RecordLayouts()
    return {
        variable.name: found.of(element_type(declared_type(variable)))
        for variable in parse_ir_bitcode(unit.bitcode).globals
    }


def test_fields_have_names_places_and_sizes(tmp_path: Path) -> None:
    found = layouts(C, ".c", tmp_path)
    assert found["one"].split("\n") == [
        "node 56", "key 0 4", "at.x 4 2", "at.y 6 2", "next[4] 8 32", "whole 40 4", "bytes[4] 40 4",
        "low 44 1", "high 44 1", "path[2] 46 8",
    ]  # fmt: skip
    assert found["many"] == found["one"]
    assert found["unknown"] == found["empty"] == found["number"] == ""


def test_base_classes_have_no_name_and_static_members_no_place(tmp_path: Path) -> None:
    assert layouts(CPP, ".cpp", tmp_path)["one"] == "derived 16\nfirst 0 4\nsecond 8 8"


@pytest.mark.parametrize("n_fields", [MAX_FIELDS, MAX_FIELDS + 9])
def test_big_structures_are_cut(n_fields: int, tmp_path: Path) -> None:
    members = " ".join(f"int m{n};" for n in range(n_fields))
    text = layouts(f"struct s {{ {members} }} one;", ".c", tmp_path)["one"]
    assert text.count("\n") == MAX_FIELDS
    assert text.startswith(f"s {4 * n_fields}\n")
