"""Exit roots: which pointers are stored before a call that ends the program."""

from __future__ import annotations

import re

from irsan.instrument.frames.exit_roots import MAX_KEPT
from tests.instrument.checked_ir import body, instrumented

DECLARED = """
declare ptr @malloc(i64)
declare void @exit(i32)
declare void @use(ptr)
"""


def changed(text: str) -> str:
    """The function @f as the engine gets it."""
    return body(instrumented(DECLARED + text, "leak", portable=False), "f")


def stores(text: str) -> list[str]:
    """What is stored into the kept slots."""
    return re.findall(r"store ptr (%[\w.]+), ptr %[\w.]+, align 8", text)


def test_a_pointer_that_dominates_the_end_is_kept() -> None:
    text = changed(
        "define void @f(ptr %a) {\n%p = call ptr @malloc(i64 8)\n"
        "call void @exit(i32 0)\nunreachable\n}"
    )
    assert "alloca [2 x ptr], align 8" in text
    assert len(stores(text)) == 2
    assert text.index("asm sideeffect") < text.index("call void @exit")


def test_what_another_path_made_is_not_there() -> None:
    text = changed(
        "define void @f(i1 %c) {\nbr i1 %c, label %x, label %y\n"
        "x:\n%p = call ptr @malloc(i64 8)\nbr label %y\n"
        "y:\ncall void @exit(i32 0)\nunreachable\n}"
    )
    assert "alloca" not in text


def test_local_variables_are_read_at_the_end() -> None:
    text = changed(
        "define void @f() {\n%slot = alloca ptr, align 8\n%p = call ptr @malloc(i64 8)\n"
        "store ptr %p, ptr %slot, align 8\ncall void @exit(i32 0)\nunreachable\n}"
    )
    held = re.search(r"(%[\w.]+) = load ptr, ptr %slot, align 8", text)
    assert held is not None and held[1] in stores(text)


def test_a_function_that_returns_is_left_alone() -> None:
    text = changed("define void @f(ptr %a) {\ncall void @use(ptr %a)\nret void\n}")
    assert "alloca" not in text and "asm" not in text


def test_functions_of_the_module_may_end_the_program_others_may_not() -> None:
    own = "define void @stop() {\ncall void @exit(i32 1)\nunreachable\n}\n"
    ends = changed(own + "define void @f(ptr %a) {\ncall void @stop()\nunreachable\n}")
    other = changed("define void @f(ptr %a) {\ncall void @use(ptr %a)\nunreachable\n}")
    assert (len(stores(ends)), len(stores(other))) == (1, 0)


def test_the_number_of_slots_has_a_limit() -> None:
    calls = "\n".join(f"%p{n} = call ptr @malloc(i64 8)" for n in range(MAX_KEPT + 9))
    text = changed(f"define void @f() {{\n{calls}\ncall void @exit(i32 0)\nunreachable\n}}")
    assert f"alloca [{MAX_KEPT} x ptr]" in text
    assert len(stores(text)) == MAX_KEPT


def test_what_is_known_before_an_endless_loop_is_stored_once() -> None:
    text = changed(
        "define void @f() {\n%p = call ptr @malloc(i64 8)\nbr label %loop\n"
        "loop:\ncall void @use(ptr null)\nbr label %loop\n}"
    )
    assert len(stores(text)) == 1
    assert text.index("asm sideeffect") < text.index("loop:")


def test_an_endless_loop_that_may_end_the_program_is_one() -> None:
    text = changed(
        "define void @f(i1 %c) {\n%p = call ptr @malloc(i64 8)\nbr label %loop\n"
        "loop:\nbr i1 %c, label %loop, label %end\nend:\ncall void @exit(i32 1)\nunreachable\n}"
    )
    assert len(stores(text)) == 2


def test_a_loop_that_is_left_keeps_nothing() -> None:
    text = changed(
        "define void @f(i1 %c) {\n%p = call ptr @malloc(i64 8)\nbr label %loop\n"
        "loop:\nbr i1 %c, label %loop, label %end\nend:\nret void\n}"
    )
    assert "asm" not in text
