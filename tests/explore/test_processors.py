"""Hosts keep to processors of their own, and no program sees that."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan.explore.explorer import processors
from irsan.explore.playing.hosts import Hosts
from irsan.explore.processors import ANY, MASK_WORDS, keep_to, mask_of, processor_of_host, use
from irsan.explore.schedules import Schedule
from tests.explore.programs import options_for

COUNTS = """
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
int main(void) {
    cpu_set_t set;
    sched_getaffinity(0, sizeof set, &set);
    printf("%d\\n", CPU_COUNT(&set));
    return 0;
}
"""


@pytest.mark.parametrize("forked_by_host", [False, True])
def test_a_program_may_use_what_irsan_may(tmp_path: Path, forked_by_host: bool) -> None:
    options = options_for(tmp_path, COUNTS)
    options = replace(options, inject=("clock",) if forked_by_host else ())
    with Hosts(processors()) as hosts:
        hosts.load(options)
        schedules = [Schedule(n, "pos", n) for n in range(2 * processors())]
        outputs = {one.output for one in hosts.play(schedules)}
    assert outputs - {None} == {f"{processors()}\n".encode()}


def test_hosts_are_spread_when_there_is_one_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {7, 3, 5})
    assert [processor_of_host(n, 2) for n in range(2)] == [ANY, ANY]
    assert [processor_of_host(n, 4) for n in range(4)] == [3, 5, 7, 3]
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {64 * MASK_WORDS})
    assert processor_of_host(0, 1) == ANY


def test_keeping_to_a_processor_can_be_taken_back() -> None:
    before = frozenset(os.sched_getaffinity(0))
    one = min(before)
    assert keep_to(one) == before
    assert os.sched_getaffinity(0) == {one}
    use(before)
    assert keep_to(ANY) == before and os.sched_getaffinity(0) == before


def test_what_the_system_refuses_changes_nothing() -> None:
    before = os.sched_getaffinity(0)
    use(frozenset())
    assert os.sched_getaffinity(0) == before


@given(st.sets(st.integers(0, 64 * MASK_WORDS + 9)))
def test_a_mask_has_a_bit_for_each_processor(numbers: set[int]) -> None:
    words = mask_of(numbers)
    bits = {n for n in range(64 * MASK_WORDS) if words[n // 64] >> n % 64 & 1}
    assert len(words) == MASK_WORDS
    assert bits == {n for n in numbers if n < 64 * MASK_WORDS}
