"""Which definitions of several modules are in conflict."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.instrument.globals.odr import definitions_of, find_conflicts, find_copies
from irsan.ir.reading import parse_ir_text
from tests.instrument.checked_ir import LAYOUT


def conflicts(*modules: str) -> list[tuple[str, int, int]]:
    """(name, size of the kept definition, size of the other) in report order."""
    parsed = [parse_ir_text(LAYOUT + text) for text in modules]
    found = find_conflicts(find_copies(list(definitions_of(module)) for module in parsed))
    return [(each.kept.name, each.kept.size_bytes, each.other.size_bytes) for each in found]


LINKAGES = st.sampled_from(["", "weak ", "common ", "linkonce_odr "])
FOUR, EIGHT = "[4 x i8] zeroinitializer", "[8 x i8] zeroinitializer"


@pytest.mark.parametrize(
    ("first", "second", "sizes"),
    [
        (f"global {FOUR}", f"global {FOUR}", [(4, 4)]),
        (f"global {FOUR}", f"global {EIGHT}", [(4, 8)]),
        (f"global {FOUR}", f"internal global {EIGHT}", []),
        (f"global {FOUR}", "external global [8 x i8]", []),
        (f"global {FOUR}", f"common global {FOUR}", []),
        (f"global {FOUR}", f"common global {EIGHT}", [(4, 8)]),
        (f"common global {FOUR}", f"common global {EIGHT}", [(8, 4)]),
        (f"linkonce_odr global {FOUR}", f"linkonce_odr global {FOUR}", []),
        (f"linkonce_odr global {FOUR}", f"weak_odr global {EIGHT}", [(4, 8)]),
        (f"weak global {FOUR}", f"global {EIGHT}", []),
        (f"weak global {EIGHT}", f"global {FOUR}", [(4, 8)]),
        (f"weak global {FOUR}", f"global {FOUR}", []),
    ],
)
def test_pairs(first: str, second: str, sizes: list[tuple[int, int]]) -> None:
    assert conflicts(f"@x = {first}", f"@x = {second}") == [("x", *pair) for pair in sizes]


def test_what_is_known_by_another_name_is_another_variable() -> None:
    parsed = [parse_ir_text(f"{LAYOUT}@x = global {size}") for size in (FOUR, FOUR, EIGHT, EIGHT)]
    copies = find_copies(list(definitions_of(module)) for module in parsed)
    found = find_conflicts(copies, lambda name, number: name if number % 2 else f"own {name}")
    assert [(each.symbol, each.kept.size_bytes, each.other.size_bytes) for each in found] == [
        ("own x", 4, 8), ("x", 4, 8),
    ]  # fmt: skip


@settings(deadline=None)
@given(st.lists(st.tuples(LINKAGES, st.sampled_from((FOUR, EIGHT))), max_size=5))
def test_nothing_that_conflicts_is_no_copy(forms: list[tuple[str, str]]) -> None:
    """The naive twin leaves out nothing beforehand."""
    texts = [f"{LAYOUT}@x = {linkage}global {size}" for linkage, size in forms]
    parsed = enumerate(map(parse_ir_text, texts))
    every = [(number, one) for number, module in parsed for one in definitions_of(module)]
    kept = list(find_conflicts(find_copies([one] for _, one in every)))
    assert kept == (list(find_conflicts([every])) if every else [])


def test_objects_of_instrumented_modules_have_their_own_sizes() -> None:
    padded = (
        "@x = global { i32, [28 x i8] } zeroinitializer\n"
        '@__asan_global_x = private global { i64, i64 } { i64 0, i64 4 }, section "asan_globals"\n'
        "@__odr_asan_gen_x = global i8 0"
    )
    assert conflicts(padded, "@x = global i64 0") == [("x", 4, 8)]
    assert conflicts(padded, padded) == [("x", 4, 4)]


@settings(deadline=None)
@given(st.lists(st.lists(st.sampled_from("abcd"), unique=True), max_size=4))
def test_every_second_full_definition_is_told_once(modules: list[list[str]]) -> None:
    texts = ["".join(f"@{name} = global i32 0\n" for name in names) for names in modules]
    found = [name for name, _, _ in conflicts(*texts)]
    for name in "abcd":
        copies = sum(name in names for names in modules)
        assert found.count(name) == max(copies - 1, 0)
