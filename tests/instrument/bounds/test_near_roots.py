"""Fields far behind their root: what is looked at, and that no end of an object is missed."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan.engine.commands.batch import BatchRunner
from irsan.instrument.bounds.near_roots import LOOK, MAX_LOOKS, looks_between
from tests.instrument.checked_ir import body, checks_in, instrumented


@given(first=st.integers(0, 200), n_granules=st.integers(0, 80))
def test_no_two_granules_side_by_side_are_left_out(first: int, n_granules: int) -> None:
    end = max(first + n_granules, LOOK)
    at = looks_between(first, end)
    seen = {granule for look in at for granule in range(look, look + LOOK)}
    missed = [granule for granule in range(first, end) if granule not in seen]
    assert all(later - before > 1 for before, later in pairwise(missed))
    assert max(seen, default=end - 1) == end - 1  # or the end of a small object would be looked at
    assert min(seen, default=0) >= 0


def checked(text: str, function: str, sanitizers: str = "address,object-bounds") -> list[str]:
    return checks_in(instrumented(text, sanitizers, portable=False), function)


NEAR, CHECK = "__irsan_bounds_near", "__irsan_check_read8_address"
ASKED = "__irsan_bounds_asked"


def field_of(offset: int, root: str = "%p") -> str:
    at = f"%a{offset}{root[1:]}"
    return f"""  {at} = getelementptr i8, ptr {root}, i64 {offset}
  %v{offset}{root[1:]} = load i64, ptr {at}
"""


def test_a_field_is_checked_by_what_lies_between() -> None:
    text = f"define void @f(ptr %p) {{\n{field_of(80)}  ret void\n}}"
    assert checked(text, "f") == [NEAR, CHECK]
    assert "i64 0, i64 2, i64 2, i64 2, " in body(
        instrumented(text, "address,object-bounds", portable=False), "f"
    )
    assert checked(text, "f", "address,object-bounds,all-checks")[0] == ASKED


@pytest.mark.parametrize(("second", "looks"), [(88, 0), (100, 0), (104, 1), (160, 1)])
def test_the_next_field_needs_what_lies_behind_the_first(second: int, looks: int) -> None:
    text = f"define void @f(ptr %p) {{\n{field_of(80)}{field_of(second)}  ret void\n}}"
    assert checked(text, "f").count(NEAR) == 1 + looks


def test_a_field_that_is_not_touched_on_every_way_says_nothing() -> None:
    text = f"""define void @f(ptr %p, i1 %c) {{
  br i1 %c, label %one, label %both
one:
{field_of(80)}  br label %both
both:
{field_of(88)}  ret void
}}"""
    assert checked(text, "f").count(NEAR) == 2


def test_far_fields_and_those_in_loops_are_asked_for() -> None:
    far = LOOK * 8 * MAX_LOOKS * 2
    assert checked(f"define void @f(ptr %p) {{\n{field_of(far)}  ret void\n}}", "f")[0] == ASKED
    text = f"""define void @f(ptr %p, i1 %c) {{
  br label %loop
loop:
{field_of(80)}  br i1 %c, label %loop, label %end
end:
  ret void
}}"""
    assert NEAR not in checked(text, "f")


@pytest.mark.parametrize(("step", "is_near"), [(0, True), (8, False)])
def test_a_join_is_a_root_if_all_that_it_joins_are(step: int, is_near: bool) -> None:
    text = f"""define void @f(ptr %p, ptr %r, i1 %c) {{
  %moved = getelementptr i8, ptr %r, i64 {step}
  br i1 %c, label %one, label %both
one:
  br label %both
both:
  %q = phi ptr [ %p, %0 ], [ %moved, %one ]
{field_of(80, "%q")}  ret void
}}"""
    assert (NEAR in checked(text, "f")) is is_near


SIZES = (8, 16, 24, 40, 72, 96, 100, 104, 144, 208, 304, 400)
OFFSETS = (64, 72, 76, 100, 124, 136, 140, 200, 272, 280, 288)


@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize("place", ["heap", "globals", "stack"])
def test_every_field_outside_of_its_object_is_found(
    runner: BatchRunner, tmp_path: Path, level: int, place: str
) -> None:
    """Objects of all sizes side by side: what is behind the end of one is often inside another."""
    source = tmp_path / "fields.c"
    source.write_text(program(place))
    environment = {"ASAN_OPTIONS": "halt_on_error=0:detect_leaks=0"}
    (result,) = runner.run([source], [0], environment=environment, opt_level=level)
    frames = [finding["stacks"][0]["frames"] for finding in result.findings]
    found = {(stack[0]["function"], stack[1]["line"]) for stack in frames}
    lines = source.read_text().splitlines()
    wanted = {
        (f"at_{offset}", number)
        for number, line in enumerate(lines, 1) if line.startswith("  at_all(")
        for size in [int(line.rpartition("/")[2])]
        for offset in OFFSETS if offset + 4 > size
    }  # fmt: skip
    assert found == wanted


def program(place: str) -> str:
    """One call for each object, on a line that ends with the size from the root on."""
    fields = "".join(
        f"__attribute__((noinline)) int at_{n}(char *p) {{ return *(int *)(p + {n}); }}\n"
        for n in OFFSETS
    )
    calls = "; ".join(f"sum += at_{n}(P)" for n in OFFSETS)
    kept = {
        "heap": [f"  char *o{n} = calloc({n}, 1);" for n in SIZES],
        "stack": [f"  char o{n}[{n}] = {{0}}; keep = o{n};" for n in SIZES],
        "globals": [""],
    }[place]
    outside = [f"char o{n}[{n}] = {{1}};" for n in SIZES] if place == "globals" else []
    roots = [(n, moved) for n in SIZES for moved in (0, 4) if n > 8]
    return "\n".join([
        "#include <stdlib.h>", *outside, "static int sum; char *volatile keep;", fields,
        f"#define at_all(P) {{ {calls}; }}",
        "int main(void) {", *kept,
        *(f"  at_all((o{n} + {moved})) // /{n - moved}" for n, moved in roots),
        "  return sum > 1000000000;", "}",
    ])  # fmt: skip
