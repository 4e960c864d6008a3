"""Both of LLVM's generators: which one is used, and that their code does the same."""

from __future__ import annotations

import ctypes

import llvmlite.binding as llvm
import pytest

from irsan.engine.linker.elf import ObjectFile
from irsan.engine.program_image import codegen
from irsan.engine.program_image.codegen import text_to_object
from irsan.engine.target import TRIPLE

HOT = """
define available_externally i64 @__irsan_twice(i64 %n) alwaysinline {
  %twice = shl i64 %n, 1
  ret i64 %twice
}
"""
# A constant of 64 bits in a loop: the steps for loops take it out.
UNIT = """
declare i64 @__irsan_twice(i64)
define i64 @total(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  %twice = call i64 @__irsan_twice(i64 %i)
  %kept = and i64 %twice, 9223372036854775806
  %more = add i64 %sum, %kept
  %next = add i64 %i, 1
  %done = icmp sgt i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret i64 %more
}
"""
LOOP = UNIT.replace("call i64 @__irsan_twice(i64 %i)", "shl i64 %i, 1")
# Four records of different sizes in each turn: more pointers than are worth a register.
RECORD = """
  %from_{0} = getelementptr [16 x i64], ptr %a, i64 %i, i64 {0}
  %x_{0} = load i64, ptr %from_{0}
  %to_{0} = getelementptr [{0} x i64], ptr %b, i64 %i
  store i64 %x_{0}, ptr %to_{0}
  call void asm sideeffect "", "~{{memory}}"()
"""
FAR_APART = """
define void @total(ptr %a, ptr %b, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %n, %entry ], [ %next, %loop ]
  RECORDS
  %next = add i64 %i, 1
  %done = icmp sgt i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}
""".replace("RECORDS", "".join(RECORD.format(n_words) for n_words in (3, 5, 7, 9)))
PADDING = ";\n" * codegen._QUICK_BYTES


def total_of(raw: bytes, n: int) -> int:
    """What the function of an object returns."""
    module = llvm.parse_assembly(f'target triple = "{TRIPLE}"')
    with llvm.create_mcjit_compiler(module, codegen.target_machine()) as engine:
        engine.add_object_file(llvm.ObjectFileRef.from_data(raw))
        engine.finalize_object()
        function = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)
        return int(function(engine.get_function_address("total"))(n))


def code_of(raw: bytes) -> bytes:
    """The instructions of an object."""
    item = ObjectFile.parse(raw, "unit")
    return item.section_bytes(item.section_names.index(".text"))


@pytest.mark.parametrize("padding", ["", PADDING], ids=["small", "big"])
def test_code_of_both_generators(padding: str) -> None:
    raw = text_to_object(UNIT + padding, HOT)
    assert total_of(raw, 100) == 10100
    assert b"__irsan_twice" not in raw  # which would be a call of it


def test_big_units_are_generated_otherwise() -> None:
    small, big = (text_to_object(UNIT + padding, HOT) for padding in ("", PADDING))
    assert small != big
    assert big == text_to_object(UNIT + PADDING, HOT)
    assert small == text_to_object(UNIT, HOT)


def test_hot_functions_of_big_units_are_generated_as_in_small_ones() -> None:
    hot = UNIT.replace("(i64 %n) {", '(i64 %n) "irsan-hot" {')
    big, quick = (text_to_object(text + PADDING, HOT) for text in (hot, UNIT))
    assert total_of(big, 100) == 10100
    assert big != quick
    assert code_of(big) == code_of(text_to_object(UNIT, HOT))


# What a strip's fast version looks like: the shadow of what was asked ahead is a constant.
DECIDED = """
declare void @cold()
define i64 @total(i64 %n) {
entry:
  br label %loop
loop:
  %bits = phi i64 [ 0, %entry ], [ %more, %next ]
  %i = phi i64 [ 0, %entry ], [ %behind, %next ]
  %more = or i64 %bits, 0
  %is_set = icmp ne i64 %more, 0
  br i1 %is_set, label %report, label %next
report:
  call void @cold()
  br label %next
next:
  %behind = add i64 %i, 1
  %done = icmp sgt i64 %behind, %n
  br i1 %done, label %end, label %loop
end:
  ret i64 %behind
}
"""
DOUBTED = """
declare void @__ubsan_handle_load_invalid_value_abort()
define i64 @total(ptr %p) {
  %value = load i8, ptr %p, !range !{i8 0, i8 2}
  %is_wrong = icmp ugt i8 %value, 1
  br i1 %is_wrong, label %report, label %next
report:
  call void @__ubsan_handle_load_invalid_value_abort()
  br label %next
next:
  ret i64 0
}
"""


def test_pointers_are_kept_only_where_that_is_less_work() -> None:
    machine = codegen.target_machine()
    module = llvm.parse_assembly(FAR_APART)
    usual = code_of(bytes(machine.emit_object(module)))
    with codegen._switched(codegen._FEWER_POINTERS):
        fewer = code_of(bytes(machine.emit_object(llvm.parse_assembly(FAR_APART))))
    assert code_of(text_to_object(FAR_APART, HOT)) == fewer != usual


@pytest.mark.parametrize("padding", ["", PADDING], ids=["small", "big"])
def test_branches_that_always_go_one_way_go(padding: str) -> None:
    raw = text_to_object(DECIDED + padding, HOT)
    assert b"cold" not in raw
    assert total_of(raw, 100) == 101


def test_checks_of_what_the_compiler_promised_stay() -> None:
    assert b"__ubsan_handle" in text_to_object(DOUBTED, HOT)
    told = DOUBTED.replace("__ubsan_handle", "other")
    assert b"other" not in text_to_object(told, HOT)  # so the promise is used elsewhere


@pytest.mark.parametrize("attribute", ["alwaysinline", "optsize", "minsize"])
def test_attributes_of_functions_in_big_units(attribute: str) -> None:
    text = UNIT.replace("(i64 %n) {", f"(i64 %n) {attribute} {{")
    text += 'define void @hot() "irsan-hot" {\n  ret void\n}\n'
    assert total_of(text_to_object(text + PADDING, HOT), 100) == 10100


HUGE = ";" * codegen._HUGE_FUNCTION_BYTES + "\n"


def test_a_huge_function_is_generated_as_at_o0() -> None:
    huge = text_to_object(UNIT.replace("entry:\n", "entry:\n" + HUGE), HOT)
    big = text_to_object(UNIT + PADDING, HOT)
    assert total_of(huge, 100) == total_of(big, 100) == 10100
    assert huge != big


@pytest.mark.parametrize(
    ("text", "is_huge"),
    [
        (UNIT, False),
        (UNIT.replace("entry:\n", "entry:\n" + HUGE), True),
        (HUGE[: len(HUGE) // 2] + UNIT + HUGE[: len(HUGE) // 2], False),
    ],
    ids=["small", "one function", "many"],
)
def test_which_functions_are_huge(text: str, is_huge: bool) -> None:
    assert codegen.has_huge_function(text) == is_huge


def test_a_big_unit_leaves_llvm_as_it_was() -> None:
    """LLVM's switches are the process's: one that stayed would change what is generated next."""

    def with_all_steps() -> bytes:
        return bytes(machine.emit_object(llvm.parse_assembly(LOOP)))

    machine = codegen.target_machine()
    codegen._quick_machine()  # which changes one switch for good
    before = with_all_steps()
    for padding in (PADDING, HUGE):
        text_to_object(LOOP + padding, HOT)
        assert with_all_steps() == before
    with codegen._switched(codegen._fewer_steps(has_loops=False)):
        assert with_all_steps() != before
