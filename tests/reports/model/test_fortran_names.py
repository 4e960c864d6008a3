"""Names of Fortran, as flang writes them."""

from __future__ import annotations

import pytest

from irsan.reports.model.fortran_names import fortran_name
from irsan.reports.model.names import demangled


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("_QQmain", "main program"),
        ("_QQmain..omp_par", "main program..omp_par"),
        ("_QMsharedPadd", "shared::add"),
        ("_QMsharedEcounter", "shared::counter"),
        ("_QMmSsubFouterPinner_1", "m::sub::outer::inner_1"),
        ("_QPsolve", "solve"),
        ("_QQmainly", None),
        ("_Q", None),
        ("_QMa-b", None),
        ("main", None),
    ],
)
def test_names(symbol: str, name: str | None) -> None:
    assert fortran_name(symbol) == name
    assert demangled(symbol) == (name or symbol)
