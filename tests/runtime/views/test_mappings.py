"""The host's list of mappings and the kernels' table of them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan.runtime.kernels.checks import foreign
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.views import mappings
from irsan.runtime.views.mappings import MAPPINGS_MAY_BE_STALE, READABLE, WRITABLE, Mapping

FAR, PAGE = 0x5000_0000_0000, 4096
MOST_BY_DEFAULT = 65_530  # vm.max_map_count; some systems are set to a million


@pytest.mark.parametrize("n_mappings", [MOST_BY_DEFAULT, 200_000])
def test_kernels_know_as_many_mappings_as_there_are(
    guest: Any, monkeypatch: pytest.MonkeyPatch, n_mappings: int
) -> None:
    """One that is left out would be asked for again and again."""
    kinds = (READABLE, READABLE | WRITABLE)
    rows = [
        Mapping(lo, lo + PAGE, kinds[number % 2])
        for number, lo in enumerate(range(FAR, FAR + n_mappings * PAGE, PAGE))
    ]
    monkeypatch.setattr(mappings, "read_mappings", lambda: rows)
    guest.ctx["fault"][:4] = [FaultKind.WILD_ACCESS, rows[-1].lo, 8, MAPPINGS_MAY_BE_STALE]
    assert not mappings.confirm_fault(guest.ctx)
    assert foreign.foreign_allows(guest.ctx, rows[-1].lo, 8, READABLE | WRITABLE)
    assert not foreign.foreign_allows(guest.ctx, rows[-1].hi, 8, READABLE)


WORDS = st.tuples(st.integers(0, 12), st.integers(1, 3), st.sampled_from(["r--p", "rw-p", "---p"]),
                  st.sampled_from(["", "/a file", "[heap]"]))  # fmt: skip


@given(words=st.lists(WORDS, unique_by=lambda one: one[0]))
def test_neighbours_that_are_alike_are_one_and_nothing_else_changes(words: Any) -> None:
    pages: dict[int, tuple[str, str]] = {}
    lines, end = [], 0
    for start, n, permissions, name in sorted(words):
        lo = max(start * 2, end)
        end = lo + n
        pages |= dict.fromkeys(range(lo, end), (permissions, name))
        lines.append(f"{lo:x}-{end:x} {permissions} 0000 fe:00 7 {name}".rstrip())
    found = list(mappings.joined_areas("\n".join(lines)))
    assert pages == {
        page: (permissions, name)
        for lo, hi, permissions, name in found for page in range(int(lo, 16), int(hi, 16))
    }  # fmt: skip
    for one, following in pairwise(found):
        assert one[1] != following[0] or one[2:] != following[2:]
