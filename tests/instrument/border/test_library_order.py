"""Which calls of library functions tell the race detector that they order threads."""

from __future__ import annotations

import pytest

from irsan.instrument.border.library_order import ORDERING_CALLS
from tests.instrument.checked_ir import body, check, instrumented

BARRIER = "_ZNSt3__131__arrive_barrier_algorithm_baseEPNS_24__barrier_algorithm_baseEh"
COUNT = "_ZNSt3__119__shared_weak_count14__release_weakEv"


def called(name: str, sanitizers: str) -> str:
    source = (
        f"declare i1 @{name}(ptr, i8)\n"
        f"define i1 @f(ptr %p) sanitize_thread {{ %r = call i1 @{name}(ptr %p, i8 0) ret i1 %r }}"
    )
    return body(instrumented(source, sanitizers), "f")


def test_an_arrival_releases_before_and_acquires_behind() -> None:
    check(called(BARRIER, "thread"), "call void @__tsan_release(ptr %p)", f"@{BARRIER}(ptr %p",
          "call void @__tsan_acquire(ptr %p)")  # fmt: skip


def test_what_may_free_its_object_is_told_before() -> None:
    check(called(COUNT, "thread"), "@__tsan_release(ptr %p)", "@__tsan_acquire(ptr %p)",
          f"@{COUNT}(ptr %p")  # fmt: skip


@pytest.mark.parametrize(
    ("name", "sanitizers"), [(BARRIER, "address"), ("arrive", "thread"), (COUNT, "address")]
)
def test_nothing_is_told_otherwise(name: str, sanitizers: str) -> None:
    assert "__tsan_release" not in called(name, sanitizers)


def test_the_functions_are_those_of_the_bundled_library() -> None:
    assert set(ORDERING_CALLS) == {BARRIER, COUNT}
