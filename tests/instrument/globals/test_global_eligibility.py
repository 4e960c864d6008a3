"""Which globals get a redzone."""

from __future__ import annotations

import pytest

from irsan.instrument.globals.global_eligibility import may_have_redzone
from irsan.ir.reading import parse_ir_text
from tests.instrument.checked_ir import LAYOUT


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
