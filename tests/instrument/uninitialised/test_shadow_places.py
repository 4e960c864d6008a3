"""Places of shadow: how often they are asked, where, and that what is found there is the same."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.instrument.uninitialised.shadow_places import NEAR_BYTES
from irsan.runtime.layout import uninit_layout
from tests.support.shadow_runs import ShadowRun, instrumented

FIELDS = """
define noundef i32 @f(ptr %p, i1 %way) {
entry:
  %a = getelementptr i8, ptr %p, i64 8
  %b = getelementptr i8, ptr %a, i64 4
  store i32 0, ptr %p
  %v = load i32, ptr %a
  br i1 %way, label %left, label %right
left:
  %w = load i32, ptr %b
  ret i32 %w
right:
  ret i32 %v
}
"""
LOOP = """
define void @f(ptr %p, ptr %q) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i8, ptr %p, i64 8
  %v = load i32, ptr %a
  %at = getelementptr i32, ptr %q, i64 %i
  store i32 %v, ptr %at
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, 8
  br i1 %again, label %loop, label %end
end:
  ret void
}
"""


def hooks_of(text: str) -> list[str]:
    """The questions where shadow is, in order."""
    return re.findall(r"call ptr @__irsan_bits_(from|to|at|beside)\(", instrumented(text))


def test_fields_of_one_object_ask_once() -> None:
    assert sorted(hooks_of(FIELDS)) == ["beside", "beside", "from"]


def test_what_is_far_asks_for_itself() -> None:
    far = FIELDS.replace("ptr %a, i64 4", f"ptr %a, i64 {NEAR_BYTES}")
    assert sorted(hooks_of(far)) == ["beside", "from", "from"]


def test_other_branches_ask_again() -> None:
    text = FIELDS.replace("  store i32 0, ptr %p\n  %v = load i32, ptr %a\n", "")
    text = text.replace("ret i32 %v", "%x = load i32, ptr %a\n  ret i32 %x")
    assert hooks_of(text).count("from") == 2


def test_bits_that_may_be_set_are_stored_elsewhere() -> None:
    text = FIELDS.replace("store i32 0", "%u = load i32, ptr %b\n  store i32 %u")
    assert sorted(hooks_of(text)) == ["beside", "beside", "beside", "from", "to"]


def test_a_place_stands_in_front_of_loops() -> None:
    entry, loop = instrumented(LOOP).split("br label %loop")
    assert "@__irsan_bits_from(ptr %p)" in entry
    assert "call ptr @__irsan_bits_from" not in loop
    assert "@__irsan_bits_to(ptr %at)" in loop


def test_the_result_of_an_invoke_is_asked_about_behind_it() -> None:
    text = """
    declare ptr @made()
    declare i32 @__gxx_personality_v0(...)
    define i32 @f() personality ptr @__gxx_personality_v0 {
    entry:
      %p = invoke ptr @made() to label %loop unwind label %pad
    loop:
      %a = getelementptr i8, ptr %p, i64 4
      %v = load i32, ptr %a
      %more = icmp sgt i32 %v, 3
      br i1 %more, label %loop, label %end
    end:
      ret i32 0
    pad:
      %caught = landingpad { ptr, i32 } cleanup
      ret i32 1
    }
    """
    behind = instrumented(text).split("invoke ptr @made()")[1]
    assert "@__irsan_bits_from" in behind


def test_near_means_the_same_to_both() -> None:
    assert NEAR_BYTES == uninit_layout.NEAR_BYTES
    assert uninit_layout.RESERVED_LO + NEAR_BYTES <= uninit_layout.SHADOW_BIAS
    in_use = uninit_layout.SHADOW_BIAS + uninit_layout.COVERED_BYTES
    assert in_use + NEAR_BYTES <= uninit_layout.NOWHERE
    assert uninit_layout.NOWHERE + NEAR_BYTES <= uninit_layout.ANYWHERE - NEAR_BYTES


N_BYTES = 24
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["copy", "clear"]),
        st.integers(0, N_BYTES - 4),
        st.integers(0, N_BYTES - 4),
        st.sampled_from([1, 2, 4]),
        st.booleans(),  # behind a branch that is taken
    ),
    min_size=1,
    max_size=8,
)  # fmt: skip
Steps = Sequence[tuple[str, int, int, int, bool]]


def program(steps: Steps) -> str:
    """Bytes of %in are copied to %out, or zeros stored there."""
    lines = [
        "define void @f(ptr noundef %in, ptr noundef %out) {",
        "entry:", "  %way = icmp ne ptr %in, null",
    ]  # fmt: skip
    for n, (kind, source, target, size, is_behind) in enumerate(steps):
        if is_behind:
            lines += [f"  br i1 %way, label %taken{n}, label %join{n}", f"taken{n}:"]
        lines.append(f"  %to{n} = getelementptr i8, ptr %out, i64 {target}")
        if kind == "copy":
            lines += [
                f"  %from{n} = getelementptr i8, ptr %in, i64 {source}",
                f"  %v{n} = load i{8 * size}, ptr %from{n}, align 1",
                f"  store i{8 * size} %v{n}, ptr %to{n}, align 1",
            ]
        else:
            lines.append(f"  store i{8 * size} 0, ptr %to{n}, align 1")
        if is_behind:
            lines += [f"  br label %join{n}", f"join{n}:"]
    return "\n".join([*lines, "  ret void", "}"])


@settings(max_examples=60, deadline=None)
@given(STEPS, st.binary(min_size=N_BYTES, max_size=N_BYTES))
def test_shadow_is_copied_as_bytes_are(steps: Steps, bits: bytes) -> None:
    _, found, findings = ShadowRun(program(steps))(bytes(N_BYTES), bits)
    wanted = bytearray(N_BYTES)
    for kind, source, target, size, _ in steps:
        part = bits[source : source + size] if kind == "copy" else bytes(size)
        wanted[target : target + size] = part
    assert (found[:N_BYTES], findings) == (bytes(wanted), 0)


@pytest.mark.parametrize("index", ["i64 3", "i64 %n"])
def test_variables_of_the_program_surely_have_shadow(index: str) -> None:
    text = f"""
    @table = internal global [8 x i32] zeroinitializer
    define i32 @f(i64 %n) {{
      %a = getelementptr [8 x i32], ptr @table, i64 0, {index}
      %v = load i32, ptr %a
      ret i32 %v
    }}
    """
    assert hooks_of(text) == ["at"]
