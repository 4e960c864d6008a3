"""Loops that go on in short steps: which are left to the redzones, and that these say the same.

The random programs walk off one of several blocks, up or down, with steps of 1 to 40 bytes; the
naive twin counts the turns until an access is not in the block any more.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.instrument.checked_ir import checks_in, instrumented

if TYPE_CHECKING:
    from irsan.engine.commands.batch import BatchRunner

LOOP = """
define i64 @f(ptr %%a, i64 %%n, i64 %%m, ptr %%other) {
entry:
  %(before)s
  br label %%head
head:
  %%i = phi i64 [ %(first)s, %%entry ], [ %%next, %%latch ]
  %%sum = phi i64 [ 0, %%entry ], [ %%more, %%latch ]
  %(place)s
  br %(to_access)s
access:
  %%x = load i64, ptr %%p
  br label %%latch
latch:
  %%y = phi i64 [ %%x, %%access ]%(or_zero)s
  %%more = add i64 %%sum, %%y
  %%next = add nuw nsw i64 %%i, %(step)s
  %%c = icmp eq i64 %%next, %%n
  br i1 %%c, label %%out, label %%head
out:
  ret i64 %%more
}
"""
PLAIN = {
    "before": "%unused = add i64 0, 0",
    "first": "0",
    "place": "%p = getelementptr i64, ptr %a, i64 %i",
    "to_access": "label %access",
    "or_zero": "",
    "step": "1",
}
SKIPS = {
    "place": PLAIN["place"] + "\n  %odd = trunc i64 %i to i1",
    "to_access": "i1 %odd, label %access, label %latch",
    "or_zero": ", [ 0, %head ]",
}
SHORT: dict[str, dict[str, str]] = {
    "plain": {},
    "backwards": {"first": "7", "step": "-1"},
    "two at once": {"step": "2"},
    "a member": {"place": "%p = getelementptr { i64, i64 }, ptr %a, i64 %i, i32 1"},
    "a moved begin": {"before": "%b = getelementptr i8, ptr %a, i64 40",
                      "place": "%p = getelementptr i64, ptr %b, i64 %i"},
}  # fmt: skip
FAR: dict[str, dict[str, str]] = {
    "long steps": {"step": "3"},
    "begins anywhere": {"first": "%m"},
    "begins far away": {"first": "8"},
    "some turns only": SKIPS,
    "a variable row": {"before": "%b = getelementptr i64, ptr %a, i64 %m",
                       "place": "%p = getelementptr i64, ptr %b, i64 %i"},
    "a variable step": {"step": "%m"},
    "an index from memory": {"place": "%q = getelementptr i64, ptr %other, i64 %i\n"
                             "  %j = load i64, ptr %q\n  %p = getelementptr i64, ptr %a, i64 %j"},
}  # fmt: skip


def n_objects_asked(case: dict[str, str], sanitizers: str = "address,object-bounds") -> int:
    made = instrumented(LOOP % {**PLAIN, **case}, sanitizers, portable=False)
    return checks_in(made, "f").count("__irsan_object_lo")


@pytest.mark.parametrize("name", SHORT)
def test_a_walk_in_short_steps_asks_for_no_object(name: str) -> None:
    assert n_objects_asked(SHORT[name]) == 0


@pytest.mark.parametrize("name", FAR)
def test_what_may_jump_asks(name: str) -> None:
    assert n_objects_asked(FAR[name]) == 1


@pytest.mark.parametrize("more", ["inner-bounds", "all-checks"])
def test_who_asks_for_more_gets_every_check(more: str) -> None:
    assert n_objects_asked({}, f"address,object-bounds,{more}") == 1


class Walk(NamedTuple):
    """Accesses of n_bytes at first, first + step, ... from the begin of a block of size_bytes."""

    n_bytes: int
    step: int
    first: int
    size_bytes: int

    def fails_at(self) -> int:
        """The first offset at which not all of an access is in the block."""
        at = self.first
        while 0 <= at <= self.size_bytes - self.n_bytes:
            at += self.step
        return at


@st.composite
def walks(draw: st.DrawFn) -> Walk:
    n_bytes = draw(st.sampled_from([1, 2, 4, 8]))
    size = draw(st.integers(n_bytes, 200))
    if draw(st.booleans()):
        return Walk(n_bytes, draw(st.integers(1, 40)), draw(st.sampled_from([0, 0, 3, 8])), size)
    first = min(size - n_bytes, draw(st.integers(0, 60)))
    return Walk(n_bytes, -draw(st.integers(1, 40)), first, size)


N_WALKS = 150 if os.environ.get("IRSAN_PART") == "all" else 12
PLACES = ("heap", "stack", "global")
PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
typedef unsigned %(type)s __attribute__((aligned(1), may_alias)) word;
static char before_global[%(size)d], the_global[%(size)d], behind_global[%(size)d];
__attribute__((noinline)) static unsigned long walk(const char *p, long n) {
  unsigned long sum = 0;
  for (long i = 0; i < n; i++) sum += *(const word *)(p + (%(first)d) + i * (%(step)d));
  return sum;
}
__attribute__((noinline)) static void keep(void *p) { __asm__ volatile("" : : "r"(p) : "memory"); }
int main(void) {
  char before[%(size)d] = {0}, on_stack[%(size)d] = {0}, behind[%(size)d] = {0};
  char *heap[3];
  for (int i = 0; i < 3; i++) heap[i] = calloc(1, %(size)d);
  keep(before); keep(on_stack); keep(behind); keep(before_global); keep(behind_global);
  keep(the_global); keep(heap);
  char *p = %(place)s;
  printf("%%p\\n", (void *)p);
  fflush(stdout);
  printf("%%lu\\n", walk(p, 1000));
}
"""
TYPES = {1: "char", 2: "short", 4: "int", 8: "long"}
WHERE = {"heap": "heap[1]", "stack": "on_stack", "global": "the_global"}


@pytest.mark.parametrize("place", PLACES)
@settings(
    max_examples=N_WALKS, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(walk=walks())
def test_the_first_turn_that_leaves_is_reported(
    runner: BatchRunner, tmp_path: Path, place: str, walk: Walk
) -> None:
    source = tmp_path / "walk.c"
    source.write_text(
        PROGRAM % {
            "type": TYPES[walk.n_bytes], "size": walk.size_bytes, "first": walk.first,
            "step": walk.step, "place": WHERE[place],
        }
    )  # fmt: skip
    (result,) = runner.run([source], [0], opt_level=1, sanitize=frozenset({"address"}))
    assert result.exit_status == 66, walk
    begin = int(result.stdout.split()[0], 16)
    (finding,) = result.findings
    offset = int(finding["address"], 16) - begin
    end, wanted = offset + finding["access"]["size"], walk.fails_at()
    assert offset < 0 or end > walk.size_bytes, (walk, finding["kind"])
    # The compiler may make one access of several turns, with what lies between; never is it later.
    is_in_time = offset < wanted + walk.n_bytes if walk.step > 0 else wanted < end
    assert is_in_time, (walk, finding["kind"])
