"""Which accesses need not be held to their object, since one nearby was on every way to them."""

from __future__ import annotations

import pytest

from irsan.instrument.analysis.control_flow.value_homes import ValueHomes
from irsan.instrument.analysis.objects.addresses import AddressFacts
from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.instrument.bounds.checked_before import CheckedBefore
from irsan.ir.reading import parse_ir_text
from tests.instrument.checked_ir import LAYOUT, body, instrumented

NEAR = """
define i32 @f(ptr %a, i64 %i, i1 %more) {
entry:
  %p = getelementptr { i32, i32 }, ptr %a, i64 %i
  br i1 %more, label %one, label %other
one:
  %v = load i32, ptr %p
  br i1 %more, label %below, label %join
other:
  br label %join
below:
  %q = getelementptr { i32, i32 }, ptr %p, i64 0, i32 1
  %w = load i32, ptr %q
  br label %join
join:
  %r = getelementptr { i32, i32 }, ptr %p, i64 0, i32 1
  %x = load i32, ptr %r
  ret i32 %x
}
"""


def test_an_access_near_one_that_stands_on_every_way_is_left_to_the_redzones() -> None:
    made = instrumented(NEAR, "address,object-bounds", portable=False)
    blocks = body(made, "f").partition("\n")[2].split("\n\n")
    asking = [block.partition(":")[0] for block in blocks if "bounds_check" in block]
    assert asking == ["one", "join"]


@pytest.mark.parametrize(("across_blocks", "first"), [(True, "p v"), (False, "p v p")])
def test_blocks_above_count_if_asked(across_blocks: bool, first: str) -> None:
    module = parse_ir_text(
        LAYOUT
        + """
define void @f(ptr %a, i64 %i) {
entry:
  %p = getelementptr [8 x i8], ptr %a, i64 %i
  %q = getelementptr i8, ptr %p, i64 63
  %v = getelementptr i8, ptr %p, i64 64
  br label %loop
loop:
  br i1 true, label %loop, label %end
end:
  ret void
}
"""
    )
    (function,) = (one for one in module.functions if one.name == "f")
    entry, loop, end = function.blocks
    p, q, v = entry.instructions[:3]
    checked = CheckedBefore(
        AddressFacts(TypeSizes(module)), ValueHomes(function), 64, across_blocks=across_blocks
    )
    asked = ((p, entry), (q, entry), (v, loop), (p, end))
    assert " ".join(x.name for x, block in asked if checked.is_first(x, block)) == first
    assert checked.n_covered == len(asked) - len(first.split())
