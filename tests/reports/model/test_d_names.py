"""Names of D, as its compiler writes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan.reports.model.d_names import d_name
from irsan.reports.model.names import demangled


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("_Dmain", "D main"),
        ("_D1h3addFZv", "h.add"),
        ("_D4core6thread8osthread6Thread5startMFNbZCQBoQBmQBiQBc",
         "core.thread.osthread.Thread.start"),
        ("_D4core6thread8osthread6Thread6__ctorMFNaNbNiNfPFZvmZCQCaQByQBuQBo",
         "core.thread.osthread.Thread.__ctor"),
        ("_D1h5outerFZ5innerMFZv", "h.outer.inner"),
        ("_D1h__T5twiceTiZQkFiZi", "h.twice!(...)"),
        ("_D1h14__T5twiceTiVi3Z5twiceFiZi", "h.twice!(...)"),
        ("_D3fooQe3barFZv", "foo.foo.bar"),
        ("_D", None),
        ("_D9short", None),
        ("_Dfoo", None),
        ("main", None),
    ],
)  # fmt: skip
def test_names(symbol: str, name: str | None) -> None:
    assert d_name(symbol) == name
    assert demangled(symbol) == (name or symbol)


@given(st.lists(st.from_regex(r"[a-z_]\w{0,9}", fullmatch=True), min_size=1, max_size=6))
def test_names_that_are_put_together(names: list[str]) -> None:
    plain = [name for name in names if not name.startswith(("__T", "__U"))] or ["a"]
    symbol = "_D" + "".join(f"{len(name)}{name}" for name in plain) + "FZv"
    assert d_name(symbol) == ".".join(plain)


@given(st.text(alphabet="_DQTUZFM019abz", max_size=30))
def test_anything_is_a_name_or_none(text: str) -> None:
    assert d_name(f"_D{text}") is None or d_name(f"_D{text}")
