"""Which inline assembly is an atomic operation, of which addresses."""

from __future__ import annotations

import pytest

from irsan.instrument.analysis.calls.atomic_assembly import atomic_accesses
from irsan.ir.calls import Call
from irsan.ir.reading import parse_ir_text

BOTH, READ, WRITE = (True, True), (True, False), (False, True)
P, Q = "ptr elementtype(i32) %p", "ptr elementtype(i32) %q"


def accesses(
    text: str, constraints: str, arguments: str, *, result: str = "void", word: str = "sideeffect"
) -> list[tuple[str, tuple[bool, bool]]]:
    source = (
        "define void @f(ptr %p, ptr %q, i32 %n) {\n"
        f'  call {result} asm {word} "{text}", "{constraints}"({arguments})\n'
        "  ret void\n}"
    )
    function = parse_ir_text(source).function_by_name("f")
    assert function is not None
    (call,) = (one for one in function.blocks[0].instructions if isinstance(one, Call))
    return [
        (str(one.address.name), (one.is_read, one.is_written)) for one in atomic_accesses(call)
    ]


@pytest.mark.parametrize(
    "text",
    ["xchgl $0, $1", "lock; xaddl $0, $1", "lock incl $0", "661: LOCK\\0Acmpxchgl $2, $0"],
)
def test_locked_instructions_read_and_write_their_operand_once(text: str) -> None:
    assert accesses(text, "=*m,*m,r,~{memory}", f"{P}, {P}, i32 %n") == [("p", BOTH)]


def test_a_pointer_that_is_exchanged_is_no_address() -> None:
    found = accesses("xchgq $0, $1", "=*m,=q,*m,1", f"{P}, {P}, ptr %q", result="ptr")
    assert found == [("p", BOTH)]


@pytest.mark.parametrize(
    ("text", "constraints", "arguments", "result", "named"),
    [
        ("lock; xaddl $0, ($1)", "=r,r,0,~{memory}", "ptr %p, i32 %n", "i32", ["p"]),
        ("lock; cmpxchgl $2, (${1:q})", "={ax},r,r,0", "ptr %p, ptr %q, i32 %n", "i32", ["p"]),
        ("lock; cmpxchgl $2, (${1})", "={ax},r,r,0", "ptr %p, ptr %q, i32 %n", "i32", ["p"]),
        ("lock; incl ($1)", "r,r", "ptr %p, ptr %q", "void", ["q"]),
        ("lock; incl ($0)", "{di},~{memory}", "ptr %p", "void", ["p"]),
        ("lock; orl $$0, (%rsp)", "~{memory}", "", "void", []),
    ],
)
def test_an_address_in_a_register(
    text: str, constraints: str, arguments: str, result: str, named: list[str]
) -> None:
    found = accesses(text, constraints, arguments, result=result)
    assert found == [(name, BOTH) for name in named]


def test_one_move_that_all_memory_waits_for() -> None:
    assert accesses("movl $1, $0", "=*m,q,~{memory}", f"{P}, i32 %n") == [("p", WRITE)]
    read = accesses("movl $1, $0", "=q,*m,~{memory}", P, result="i32")
    assert read == [("p", READ)]


@pytest.mark.parametrize(
    ("text", "constraints", "arguments", "word"),
    [
        ("", "=*m,*m,~{memory}", f"{P}, {P}", "sideeffect"),  # keeps the compiler from moving code
        ("movl $1, $0", "=*m,q", f"{P}, i32 %n", "sideeffect"),
        ("movl $1, $0", "=*m,q,~{memory}", f"{P}, i32 %n", ""),
        ("addl $1, $0", "=*m,q,~{memory}", f"{P}, i32 %n", "sideeffect"),
        ("movl $1, $0; movl $1, $0", "=*m,q,~{memory}", f"{P}, i32 %n", "sideeffect"),
        ("movups $1, $0", "=*m,*m,~{memory}", f"{P}, {Q}", "sideeffect"),
        ("block $0", "*m", P, "sideeffect"),
        ("mfence", "~{memory}", "", "sideeffect"),
    ],
)
def test_anything_else_is_none(text: str, constraints: str, arguments: str, word: str) -> None:
    assert accesses(text, constraints, arguments, word=word) == []
