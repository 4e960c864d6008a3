"""Inline assembly and its operands in memory."""

from __future__ import annotations

from irsan.instrument.analysis.calls.assembly import is_assembly, memory_operands
from irsan.ir.calls import Call
from irsan.ir.reading import parse_ir_text

TEXT = """
declare void @g(ptr)
define void @f(ptr %p, ptr %q, i64 %n) {
  call void @g(ptr %p)
  call void asm "", "r,r"(ptr %p, i64 %n)
  call void asm "mov $2, $0", "=*m,*m,r"(ptr elementtype(i64) %p, ptr elementtype(i32) %q, i64 %n)
  ret void
}"""


def test_calls_of_assembly_and_what_they_access() -> None:
    function = parse_ir_text(TEXT).function_by_name("f")
    assert function is not None
    found = [one for one in function.blocks[0].instructions if isinstance(one, Call)]
    assert [is_assembly(one) for one in found] == [False, True, True]
    operands = [
        [(place.name, str(kind)) for place, kind in memory_operands(one)] for one in found
    ]
    assert operands == [[], [], [("p", "i64"), ("q", "i32")]]
