"""What loops ask ahead about uninitialised bits, and when they must not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.instrument.checked_ir import body, hooks_in, instrumented

if TYPE_CHECKING:
    from pathlib import Path

    from irsan.engine.commands.batch import BatchRunner

LOOP = """define i64 @f(ptr %%a, ptr %%b, i64 %%n, i64 %%k) {
entry:
  br label %%head
head:
  %%i = phi i64 [ 0, %%entry ], [ %%next, %%latch ]
  %%sum = phi i64 [ 0, %%entry ], [ %%more, %%latch ]
  %%p = getelementptr i64, ptr %%a, i64 %%i
  %%q = getelementptr i64, ptr %%b, i64 %%i
  %%x = load i64, ptr %%p
  %%more = add i64 %%sum, %%x
  %s
  br label %%latch
latch:
  %%next = add nuw nsw i64 %%i, 1
  %%c = icmp eq i64 %%next, %%n
  br i1 %%c, label %%out, label %%head
out:
  ret i64 %%more
}"""
SEARCH = "%r = getelementptr i64, ptr %b, i64 %x\n  %y = load i64, ptr %r"


def asked(inner: str, checks: str = "memory") -> list[str]:
    """The hooks of a loop with more in it."""
    text = instrumented(LOOP % inner, checks, portable=False)
    return hooks_in(body(text, "f"))


def test_a_sum_asks_about_all_its_turns() -> None:
    found = asked("")
    assert found.count("__irsan_strip_defined") == found.count("__irsan_strip_done") == 1
    assert found.count("__irsan_safepoint") == 1  # of the version that looks at each load


def test_two_arrays_are_asked_for_with_two_ranges() -> None:
    assert asked("store i64 %x, ptr %q").count("__irsan_strip_defined") == 1
    both = asked("%y = load i64, ptr %q\n  %z = add i64 %x, %y\n  store i64 %z, ptr %q")
    assert both.count("__irsan_strip_defined") == 2


def test_what_is_stored_must_be_known_to_be_zero() -> None:
    """%k is asked about where the strip begins; what an index of the program leads to is not."""
    assert asked("%z = add i64 %x, %k\n  store i64 %z, ptr %q").count("__irsan_strip_defined") == 1
    assert asked(f"{SEARCH}\n  store i64 %y, ptr %q").count("__irsan_strip_defined") == 0


def shadow_stores(inner: str) -> int:
    """How often zeros or shadow are stored in a loop and its copy."""
    text = body(instrumented(LOOP % inner, "memory", portable=False), "f")
    return len(re.findall(r"store i64 \S+ ptr \S+ align 8, [^\n]*!nosanitize", text)) - 1


def test_zeros_are_not_stored_where_zeros_were_asked_for() -> None:
    sum_of_both = "%y = load i64, ptr %q\n  %z = add i64 %x, %y\n  store i64 %z, ptr %q"
    assert shadow_stores("store i64 %x, ptr %q") - shadow_stores(sum_of_both) == 1


def test_other_checks_of_the_loop_are_asked_with_it() -> None:
    found = asked("store i64 %x, ptr %q", "address,memory")
    assert found.count("__irsan_strip_defined") == 1
    assert found.count("__irsan_strip_clean") == 2


PROGRAM = """#include <stdio.h>
#include <stdlib.h>
static volatile long n = 50;
__attribute__((noinline)) static long run(long *a, const long *b, long last) {
    long sum = 0, held = b[last];
    for (long i = 2; i < last; i++) {
        sum += a[i - 2];
        a[i] = held;
    }
    return sum;
}
int main(void) {
    long count = n, *a = malloc(count * sizeof *a), *b = malloc(count * sizeof *b);
    for (long i = 0; i < count; i++) a[i] = 1;
    for (long i = 0; i < count - %d; i++) b[i] = 1;
    long sum = run(a, b, count - 1);
    if (sum == 7) puts("seven");
    return 0;
}
"""


@pytest.mark.parametrize(("left_out", "status"), [(0, 0), (1, 66)])
def test_a_turn_that_stores_what_others_read_is_not_asked_past(
    runner: BatchRunner, tmp_path: Path, left_out: int, status: int
) -> None:
    path = tmp_path / "held.c"
    path.write_text(PROGRAM % left_out)
    (result,) = runner.run([path], [1], sanitize=frozenset(("memory",)), opt_level=1)
    assert result.exit_status == status
    assert [one["location"]["line"] for one in result.findings if "location" in one] in ([], [17])
