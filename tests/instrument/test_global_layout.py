"""Which globals get a redzone, and how big."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan.instrument.global_layout import may_have_redzone, padded_size
from irsan.ir.reading import parse_ir_text
from tests.instrument.checked_ir import LAYOUT
from tests.oracles.global_layout import naive_padded_size

ALIGNMENTS = st.sampled_from([1, 2, 4, 8, 16, 32, 64, 128, 4096])


@given(st.integers(0, 1 << 22), ALIGNMENTS)
def test_sizes_are_those_of_the_naive_twin(size_bytes: int, alignment: int) -> None:
    assert padded_size(size_bytes, alignment) == naive_padded_size(size_bytes, alignment)


@pytest.mark.parametrize(
    ("size_bytes", "total_bytes"), [(0, 32), (4, 32), (16, 32), (17, 64), (40, 96), (1000, 1248)]
)
def test_sizes_are_those_of_clang(size_bytes: int, total_bytes: int) -> None:
    assert padded_size(size_bytes) == total_bytes


@pytest.mark.parametrize(
    ("definition", "in_engine", "portable"),
    [
        ("@x = global i32 0", True, True),
        ("@x = internal constant i32 0", True, True),
        ('@x = private constant [2 x i8] c"a\\00"', True, True),
        ('@x = global i32 0, section ".mydata"', True, True),
        ("@x = weak global i32 0", True, False),
        ("$x = comdat any\n@x = linkonce_odr global i32 0, comdat", True, False),
        ("@x = global i32 0, align 64", True, False),
        ("@x = common global i32 0", False, False),
        ("@x = external global i32", False, False),
        ("@x = available_externally global i32 0", False, False),
        ("@x = thread_local global i32 0", False, False),
        ("@x = addrspace(1) global i32 0", False, False),
        ("@x = externally_initialized global i32 0", False, False),
        ("@x = global i32 0, no_sanitize_address", False, False),
        ('@x = global i32 0, section "entries"', False, False),
        ('@x = global i32 0, section "llvm.metadata"', False, False),
        ('@x = global ptr null, section ".init_array.5"', False, False),
        ("@__profc_x = global i32 0", False, False),
    ],
)
def test_which_globals_grow(definition: str, in_engine: bool, portable: bool) -> None:
    (variable,) = parse_ir_text(LAYOUT + definition).globals
    assert may_have_redzone(variable, portable=False) == in_engine
    assert may_have_redzone(variable, portable=True) == portable
