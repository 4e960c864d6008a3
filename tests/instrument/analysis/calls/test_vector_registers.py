"""How wide vector registers are, by the attributes of a function."""

from __future__ import annotations

import pytest

from irsan.instrument.analysis.calls.vector_registers import possible_vector_bytes
from irsan.ir.attributes import string_attribute

CASES = [
    ({}, (16,)),
    ({"target-features": "+sse2,+avx,+avx2"}, (32,)),
    ({"target-features": "+avx512f,-avx512bw"}, (64,)),
    ({"target-features": "+avx512f,-avx512f"}, (32,)),
    ({"target-features": "+avx512f,-avx"}, (16,)),
    ({"target-features": "+fma"}, (32,)),
    ({"target-features": "+soft-float"}, ()),
    ({"target-features": "-sse2"}, ()),
    ({"target-cpu": "x86-64-v3"}, (32,)),
    ({"target-cpu": "x86-64-v4"}, (64,)),
    ({"target-cpu": "haswell"}, (16, 32, 64)),
    ({"target-cpu": "haswell", "target-features": "+avx,+avx2"}, (32,)),
    ({"target-features": "+avx512f", "min-legal-vector-width": "256"}, (32, 64)),
    ({"target-features": "+avx512f", "min-legal-vector-width": "512"}, (64,)),
]


@pytest.mark.parametrize(("told", "widths"), CASES)
def test_widths(told: dict[str, str], widths: tuple[int, ...]) -> None:
    assert possible_vector_bytes(tuple(string_attribute(*one) for one in told.items())) == widths
