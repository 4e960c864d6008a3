"""Sums of loops: what the form says of a value is what interpreting the loop gives."""

from __future__ import annotations

import ctypes

from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.instrument.analysis.control_flow.linear_forms import LinearForms
from irsan.instrument.analysis.control_flow.natural_loops import innermost_loops
from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.ir.memory import Store
from irsan.ir.reading import parse_ir_text
from tests.instrument.checked_ir import LAYOUT, native

N_TURNS = 5
# A step makes a value of those so far, by their places from the end.
STEPS = st.lists(
    st.tuples(
        st.sampled_from(("add", "sub", "mul", "shl", "xor", "gep")),
        st.integers(0, 5), st.integers(0, 5), st.integers(-4, 6),
    ),
    min_size=1, max_size=7,
)  # fmt: skip


def program(steps: list[tuple[str, int, int, int]], step: int) -> str:
    """A loop of N_TURNS turns that stores the last value of each turn."""
    values, lines = ["%n", "%m", "%i"], []
    for number, (word, one, other, constant) in enumerate(steps):
        left, right = values[-1 - one % len(values)], values[-1 - other % len(values)]
        name = f"%v{number}"
        if word in ("mul", "xor"):
            lines.append(f"{name} = {word} i64 {left}, {constant}")
        elif word == "shl":
            lines.append(f"{name} = shl i64 {left}, {abs(constant)}")
        elif word == "gep":
            lines.append(f"%p{number} = getelementptr {{i32, [3 x i16]}}, ptr %base, i64 {left}, "
                         f"i32 1, i64 {right}")  # fmt: skip
            lines.append(f"{name} = ptrtoint ptr %p{number} to i64")
        else:
            lines.append(f"{name} = {word} i64 {left}, {right}")
        values.append(name)
    last = len(steps) - 1
    kind = f"ptr %p{last}" if steps[-1][0] == "gep" else f"i64 {values[-1]}"
    body = "\n  ".join(lines)
    return f"""define void @f(ptr %out, ptr %base, i64 %n, i64 %m) {{
entry:
  br label %head
head:
  %i = phi i64 [ %m, %entry ], [ %next, %head ]
  %t = phi i64 [ 0, %entry ], [ %after, %head ]
  {body}
  %slot = getelementptr i64, ptr %out, i64 %t
  store {kind}, ptr %slot
  %next = add i64 %i, {step}
  %after = add i64 %t, 1
  %c = icmp ne i64 %after, {N_TURNS}
  br i1 %c, label %head, label %out.block
out.block:
  ret void
}}"""


def values_of(text: str, base: int, n: int, m: int) -> list[int]:
    import llvmlite.binding as llvm

    out = (ctypes.c_uint64 * N_TURNS)()
    with native(llvm.parse_assembly(text)) as address_of:
        run = ctypes.CFUNCTYPE(None, ctypes.c_void_p, *[ctypes.c_uint64] * 3)(address_of("f"))
        run(ctypes.addressof(out), base, n, m)
    return list(out)


@settings(max_examples=60)
@given(STEPS, st.integers(-3, 3).filter(bool))
def test_a_stride_is_the_difference_of_two_turns(
    steps: list[tuple[str, int, int, int]], step: int
) -> None:
    text = LAYOUT + program(steps, step)
    module = parse_ir_text(text)
    function = next(one for one in module.functions if one.blocks)
    (loop,) = innermost_loops(function)
    forms = LinearForms(loop, TypeSizes(module))
    stored = next(one for one in loop.header.instructions if isinstance(one, Store)).operands[0]
    form = forms.of(stored)
    if form is None:
        assert any(word in ("xor", "gep") for word, *_ in steps)
        return
    stride = forms.stride(form)
    assert stride is not None
    for base, n, m in ((4096, 7, 11), (1 << 33, 1 << 60, 3)):
        found = values_of(text, base, n, m)
        factors = {getattr(value, "name", None): factor for (value, _), factor in form.terms}
        assert set(factors) <= {"base", "n", "m", "i"}
        first = form.constant + sum(
            factors.get(name, 0) * value
            for name, value in (("base", base), ("n", n), ("m", m), ("i", m))
        )
        assert found == [(first + turn * stride) % (1 << 64) for turn in range(N_TURNS)]


NARROW = """define void @f(ptr %%p, i32 %%n) {
entry:
  br label %%head
head:
  %%i = phi i32 [ 0, %%entry ], [ %%next, %%head ]
  %%wide = %(widen)s i32 %%i to i64
  %%q = getelementptr i8, ptr %%p, i64 %%wide
  store i8 0, ptr %%q
  %%next = add %(flags)s i32 %%i, 1
  %%c = icmp ne i32 %%next, %%n
  br i1 %%c, label %%head, label %%out
out:
  ret void
}"""


def stride_of_narrow(widen: str, flags: str) -> int | None:
    module = parse_ir_text(LAYOUT + NARROW % {"widen": widen, "flags": flags})
    (loop,) = innermost_loops(module.functions[0])
    forms = LinearForms(loop, TypeSizes(module))
    stored = next(one for one in loop.header.instructions if isinstance(one, Store)).operands[1]
    form = forms.of(stored)
    return None if form is None else forms.stride(form)


def test_a_number_that_may_wrap_around_is_not_followed_when_widened() -> None:
    assert stride_of_narrow("sext", "nsw") == 1
    assert stride_of_narrow("zext", "nuw") == 1
    assert stride_of_narrow("zext nneg", "nsw") == 1
    assert stride_of_narrow("sext", "nuw") is None
    assert stride_of_narrow("zext", "nsw") is None
    assert stride_of_narrow("sext", "") is None
