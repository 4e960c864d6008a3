"""The host's list of mappings and the kernels' table of them."""

from __future__ import annotations

from typing import Any

import pytest

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
