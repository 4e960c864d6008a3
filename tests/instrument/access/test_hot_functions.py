"""Hot functions: loops of loops that call nothing."""

from __future__ import annotations

import pytest

from irsan.instrument.access.hot_functions import HotFunctions
from irsan.instrument.pipeline import instrument_module
from irsan.ir.printing import print_module
from irsan.ir.reading import parse_ir_text
from tests.instrument.checked_ir import LAYOUT

NESTED = """define i32 @f(ptr %%p, i64 %%n) %(attributes)s {
entry:
  br label %%outer
outer:
  %%i = phi i64 [ 0, %%entry ], [ %%i.next, %%outer.end ]
  br label %%inner
inner:
  %%j = phi i64 [ 0, %%outer ], [ %%j.next, %%inner.end ]
  %%q = getelementptr i32, ptr %%p, i64 %%j
  %%x = load i32, ptr %%q
  %%is.odd = trunc i32 %%x to i1
  br i1 %%is.odd, label %%odd, label %%inner.end
odd:
  %(odd)s
  br label %%inner.end
inner.end:
  %%j.next = add i64 %%j, 1
  %%c = icmp eq i64 %%j.next, %%n
  br i1 %%c, label %%outer.end, label %%inner
outer.end:
  %(outer)s
  %%i.next = add i64 %%i, 1
  %%d = icmp eq i64 %%i.next, %%n
  br i1 %%d, label %%end, label %%outer
end:
  %(end)s
  ret i32 0
}
declare void @g()
declare void @llvm.assume(i1)
"""
CALL, NOTHING = "call void @g()", "store volatile i32 0, ptr %p"
HOT = '"irsan-hot"'


def marked(
    odd: str = NOTHING, outer: str = NOTHING, end: str = "", attributes: str = "",
    limits: HotFunctions | None = None,
) -> str:  # fmt: skip
    text = NESTED % {"odd": odd, "outer": outer, "end": end, "attributes": attributes}
    module = parse_ir_text(LAYOUT + text)
    if limits is None:
        instrument_module(module, frozenset({"address", "thread"}))
    else:
        limits.apply(module)
    return print_module(module)


def test_loops_of_loops_are_hot_with_their_checks_and_safepoints() -> None:
    assert HOT in marked()
    assert HOT in marked(odd="call void @llvm.assume(i1 true)")


def test_a_call_that_each_turn_may_leave_out_changes_nothing() -> None:
    assert HOT in marked(odd=CALL)
    assert HOT not in marked(outer=CALL)


def test_a_loop_alone_is_not() -> None:
    text = LAYOUT + """define void @f(ptr %p) {
entry:
  br label %loop
loop:
  %x = load volatile i8, ptr %p
  %more = trunc i8 %x to i1
  br i1 %more, label %loop, label %end
end:
  ret void
}"""
    module = parse_ir_text(text)
    HotFunctions().apply(module)
    assert HOT not in print_module(module)


@pytest.mark.parametrize("limits", [
    HotFunctions(least_share=0.5, most_instructions=20),
    HotFunctions(least_share=0.9),
    HotFunctions(least_share=0.1),
])  # fmt: skip
def test_most_of_a_function_must_be_in_such_loops_and_it_must_not_be_long(
    limits: HotFunctions,
) -> None:
    text = marked(end="\n".join([NOTHING] * 10), limits=limits)
    assert (HOT in text) is (limits.least_share == 0.1)


def test_what_a_front_end_says_of_size_stays() -> None:
    assert "minsize optsize" in marked(attributes="optsize minsize")
    assert "minsize optsize" in marked(outer=CALL, attributes="optsize minsize")
