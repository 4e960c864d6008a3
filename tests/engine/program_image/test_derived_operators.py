"""Which operators follow from those that a program replaces, and what their versions do."""

from __future__ import annotations

import pytest

from irsan.engine.program_image.derived_operators import (
    DERIVED_FROM,
    derived_forms,
    derived_operators,
)
from irsan.interceptors.memory.operator_new import EXPORTS
from irsan.ir.reading import parse_ir_text

TARGET = ("x86_64-unknown-linux-gnu", "e-m:e-i64:64-n8:16:32:64-S128")


def test_every_form_that_is_intercepted_is_a_base_or_derived() -> None:
    bases = {"_Znwm", "_ZdlPv", "_ZnwmSt11align_val_t", "_ZdlPvSt11align_val_t"}
    assert {export.name for export in EXPORTS} == bases | set(DERIVED_FROM)


@pytest.mark.parametrize(
    ("defined", "derived"),
    [
        ((), ()),
        (("main", "_ZdaPvm"), ()),
        (("_Znwm",), ("_Znam", "_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t")),
        (("_Znwm", "_Znam"), ("_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t")),
        (("_Znam",), ("_ZnamRKSt9nothrow_t",)),
        (
            ("_ZdlPv", "_ZdlPvm"),
            ("_ZdaPv", "_ZdaPvm", "_ZdlPvRKSt9nothrow_t", "_ZdaPvRKSt9nothrow_t"),
        ),
        (("_ZdaPvSt11align_val_t",),
         ("_ZdaPvmSt11align_val_t", "_ZdaPvSt11align_val_tRKSt9nothrow_t")),
    ],
)  # fmt: skip
def test_forms_that_follow(defined: tuple[str, ...], derived: tuple[str, ...]) -> None:
    assert set(derived_forms(defined)) == set(derived)


def test_llvm_takes_all_of_them() -> None:
    bases = set(DERIVED_FROM.values()) - set(DERIVED_FROM)
    module = parse_ir_text(derived_operators(bases, *TARGET))
    assert {one.name for one in module.functions if not one.is_declaration} == set(DERIVED_FROM)


def test_what_a_form_passes_on() -> None:
    text = derived_operators({"_ZdlPvSt11align_val_t", "_ZnwmSt11align_val_t"}, *TARGET)
    assert "@_ZdlPvmSt11align_val_t(ptr %a0, i64 %a1, i64 %a2)" in text
    assert "call void @_ZdlPvSt11align_val_t(ptr %a0, i64 %a2)" in text
    assert "invoke ptr @_ZnamSt11align_val_t(i64 %a0, i64 %a1)" in text
    assert derived_operators({"main"}, *TARGET) == ""
