"""Slices of libraries: what a program reaches stays, all else goes, and the code is the same."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from llvmlite import binding as llvm

from irsan.engine.cache import Cache
from irsan.engine.producers.sliced_ir import IrPart, SymbolGraph, reached, sliced, symbol_graph
from tests.oracles.reached_symbols import Module, reached_names

NAMES = [*"abcdefgh", "llvm.used"]
USES = st.dictionaries(st.sampled_from(NAMES), st.lists(st.sampled_from(NAMES), max_size=3))


@st.composite
def modules(draw: st.DrawFn) -> list[Module]:
    found: list[Module] = []
    for _ in range(draw(st.integers(1, 4))):
        uses = draw(USES)
        names = sorted(set(uses) - {"llvm.used"})
        exported = draw(st.sets(st.sampled_from(names))) if names else set()
        found.append((exported, uses))
    return found


@given(modules(), st.sets(st.sampled_from(NAMES), max_size=3))
def test_names_are_reached_as_by_the_naive_search(given_: list[Module], wanted: set[str]) -> None:
    graphs = [
        SymbolGraph({n: list(u) for n, u in uses.items()}, set(exported), {"llvm.used"} & set(uses))
        for exported, uses in given_
    ]
    assert reached(graphs, wanted) == reached_names(given_, wanted)


TEXT = """
@text = private constant [3 x i8] c"@no"
@"odd name" = global ptr @local
@seen = external global i32
@llvm.used = appending global [1 x ptr] [ptr @kept], section "llvm.metadata"
@kept = internal global ptr @kept_user
declare void @elsewhere(ptr)
define internal void @local() {
  call void @elsewhere(ptr @text)
  ret void
}
define void @kept_user() {
  ret void
}
define ptr @wanted() personality ptr @person {
  store i32 1, ptr @seen
  ret ptr @"odd name"
}
define void @unwanted() {
  call void @elsewhere(ptr null)
  ret void
}
define void @person() {
  ret void
}
"""


def test_a_graph_is_read_off_the_text() -> None:
    module = llvm.parse_assembly(TEXT)
    graph = symbol_graph(str(module))
    assert graph.exported == {"odd name", "kept_user", "wanted", "unwanted", "person"}
    assert graph.uses["odd name"] == ["local"]
    assert graph.uses["local"] == ["elsewhere", "text"]
    assert graph.uses["wanted"] == ["odd name", "person", "seen"]
    assert "seen" not in graph.uses
    assert "elsewhere" not in graph.uses


def test_a_slice_keeps_what_is_needed(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    user = "declare ptr @wanted()\ndefine ptr @helper() {\n %p = call ptr @wanted()\n ret ptr %p\n}"
    texts = (("one", user), ("two", TEXT), ("three", "@lone = global i32 1"))
    parts = [IrPart(name, llvm.parse_assembly(text).as_bitcode()) for name, text in texts]
    kept = sliced(parts, {"helper"}, cache)
    assert [one.name for one in kept] == ["one", "two"]
    names = {one.name: one.linkage.name for one in llvm.parse_bitcode(kept[1].bitcode).functions}
    assert names["wanted"] == "external"
    assert names["local"] == names["person"] == names["kept_user"] == "internal"
    assert "unwanted" not in names
    assert sliced(parts, {"helper"}, cache) == kept


def test_a_function_that_shall_do_nothing_needs_nothing(tmp_path: Path) -> None:
    text = TEXT + "define void @empty_me() {\n  call void @unwanted()\n  ret void\n}\n"
    parts = [IrPart("two", llvm.parse_assembly(text).as_bitcode())]
    (kept,) = sliced(parts, {"empty_me", "wanted"}, Cache(tmp_path), r"^(empty_me|wanted)$")
    names = {one.name for one in llvm.parse_bitcode(kept.bitcode).functions}
    assert {"empty_me", "wanted", "person"} <= names
    assert "unwanted" not in names


def test_an_alias_stays_with_what_it_stands_for(tmp_path: Path) -> None:
    other = "define void @far() {\n  ret void\n}\n"
    text = TEXT + "declare void @far()\n@again = alias void (), ptr @meant\n"
    text += "define internal void @meant() {\n  call void @far()\n  ret void\n}\n"
    parts = [IrPart(name, llvm.parse_assembly(one).as_bitcode())
             for name, one in (("two", text), ("far", other))]  # fmt: skip
    kept = sliced(parts, {"wanted"}, Cache(tmp_path))
    assert [one.name for one in kept] == ["two", "far"]
    linkages = {one.name: one.linkage.name for one in llvm.parse_bitcode(kept[1].bitcode).functions}
    assert linkages == {"far": "external"}


def test_nothing_is_needed(tmp_path: Path) -> None:
    parts = [IrPart("two", llvm.parse_assembly(TEXT).as_bitcode())]
    assert sliced(parts, {"other"}, Cache(tmp_path)) == []
