"""Random programs of pointer arithmetic over several objects against exact provenance."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.engine.commands.batch import BatchRunner
from irsan.instrument.bounds.object_extents import ALL_BYTES
from tests.instrument.checked_ir import body, checks_in, instrumented
from tests.oracles.provenance import N_POINTERS, OBJECTS, Program

POINTERS = st.integers(0, N_POINTERS - 1)
PLACES = st.sampled_from(OBJECTS)
Operation = Callable[[Program], None]


@st.composite
def operations(draw: st.DrawFn) -> Operation:
    """One operation on one pointer."""
    number = draw(POINTERS)
    kind = draw(st.sampled_from(("take", "choose", "walk", "outlie", *["access"] * 4)))
    if kind == "take":
        source = draw(PLACES)
        offset = draw(st.one_of(st.just(source.size), st.integers(0, source.size)))
        return lambda program: program.take(number, source, offset)
    if kind == "choose":
        first, second, is_first = draw(POINTERS), draw(POINTERS), draw(st.booleans())
        return lambda program: program.choose(number, first, second, is_first)
    if kind == "walk":
        step, count = draw(st.integers(-90, 90)), draw(st.integers(1, 9))
        return lambda program: program.walk(number, step, count)
    target = draw(PLACES)
    at = draw(st.integers(0, target.size - 1))
    if kind == "outlie":
        back = draw(st.integers(0, OBJECTS[0].size - 1))  # no object is smaller
        return lambda program: program.outlie(number, target, at, back)
    way = draw(st.sampled_from(("local", "local", "argument", "memory")))
    return lambda program: program.access(number, target, at, way)  # type: ignore[arg-type]


@pytest.mark.parametrize("level", [0, 1, 2])
@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=st.lists(operations(), min_size=10, max_size=40))
def test_random_programs_are_judged_by_provenance(
    runner: BatchRunner, tmp_path: Path, level: int, steps: list[Operation]
) -> None:
    program = Program()
    for step in steps:
        step(program)
    source = tmp_path / "program.c"
    source.write_text(program.text())
    environment = {"ASAN_OPTIONS": "halt_on_error=0:detect_leaks=0"}
    (result,) = runner.run([source], [0], environment=environment, opt_level=level)
    found = {_line(finding) for finding in result.findings}
    assert found <= {line for line, verdict in program.verdicts.items() if verdict is not False}
    assert found >= {line for line, verdict in program.verdicts.items() if verdict}


def _line(finding: dict[str, list[dict[str, list[dict[str, int]]]]]) -> int:
    return finding["stacks"][0]["frames"][0]["line"]


INDEXED = """
@table = internal global [10 x i32] zeroinitializer
define i32 @f(i64 %i) {
  %p = getelementptr [10 x i32], ptr @table, i64 0, i64 %i
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @g(ptr %a, i64 %i) {
  %p = getelementptr i32, ptr %a, i64 %i
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @h(ptr %a) {
  %p = getelementptr i32, ptr %a, i64 5
  %v = load i32, ptr %p
  ret i32 %v
}
"""


def checked(function: str, sanitizers: str = "address,object-bounds") -> list[str]:
    return checks_in(instrumented(INDEXED, sanitizers, portable=False), function)


def test_an_object_that_is_known_needs_no_shadow() -> None:
    assert checked("f") == ["__irsan_bounds_check"]
    assert checked("f", "address") == ["__irsan_check_read4_address"]


def test_the_only_check_of_an_argument_asks_for_it_and_the_shadow_stays() -> None:
    assert checked("g") == ["__irsan_bounds_asked", "__irsan_check_read4_address"]


def test_short_steps_stay_with_the_redzones() -> None:
    assert checked("h") == ["__irsan_check_read4_address"]


def test_portable_output_has_no_bounds_checks() -> None:
    made = instrumented(INDEXED, "address,object-bounds", portable=True)
    assert "__irsan_" not in made


def test_rows_and_members_bound_their_index_when_asked() -> None:
    text = """
%S = type { i32, [10 x i32], [1 x i32] }
define i32 @member(ptr %s, i64 %i) {
  %p = getelementptr %S, ptr %s, i64 0, i32 1, i64 %i
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @flexible(ptr %s, i64 %i) {
  %p = getelementptr %S, ptr %s, i64 0, i32 2, i64 %i
  %v = load i32, ptr %p
  ret i32 %v
}
"""
    made = instrumented(text, "address,object-bounds,inner-bounds", portable=False)
    assert "i64 37, i64 38, " in body(made, "member")  # 40 - 4 + 1; 4 bytes, inner, exact, read
    assert checks_in(made, "member").count("__irsan_bounds_check") == 1
    assert "__irsan_bounds_check" not in checks_in(made, "flexible")
    for name in ("member", "flexible"):
        assert checks_in(made, name).count("__irsan_bounds_asked") == 1


@pytest.mark.parametrize(("index", "is_shared"), [("%i", True), ("3", False)])
def test_rows_of_an_array_share_places(index: str, is_shared: bool) -> None:
    """What keeps the answers of many of them is one table for all such questions."""
    text = f"""define i32 @f(ptr %rows, i64 %i, i64 %j) {{
  %at = getelementptr ptr, ptr %rows, i64 {index}
  %row = load ptr, ptr %at
  %cell = getelementptr i32, ptr %row, i64 %j
  %value = load i32, ptr %cell
  ret i32 %value
}}"""
    found = body(instrumented(text, "address,object-bounds", portable=False), "f")
    [place] = re.findall(r"@__irsan_bounds_asked\(ptr %cell, ptr %row, i64 (-?\d+)", found)
    assert (int(place) in (-1, ALL_BYTES)) == is_shared
