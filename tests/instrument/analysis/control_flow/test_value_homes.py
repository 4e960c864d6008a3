"""Values are at home where they are made; what an invoke returns, behind it."""

from __future__ import annotations

from irsan.instrument.analysis.control_flow.value_homes import ValueHomes
from irsan.ir.reading import parse_ir_text

TEXT = """
declare ptr @g()
declare i32 @p(...)
define void @f(ptr %a) personality ptr @p {
entry:
  %made = invoke ptr @g() to label %next unwind label %pad
next:
  %x = load i8, ptr %made
  ret void
pad:
  %l = landingpad { ptr, i32 } cleanup
  ret void
}
"""


def test_homes_of_values() -> None:
    module = parse_ir_text(TEXT)
    function = next(one for one in module.functions if one.name == "f")
    entry, following, pad = function.blocks
    homes = ValueHomes(function)
    assert homes.home_of(function.arguments[0]) is entry
    assert homes.home_of(entry.instructions[-1]) is following
    assert homes.home_of(following.instructions[0]) is following
    assert homes.dominators.nearest([following, pad]) is entry
