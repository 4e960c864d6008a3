"""Dependences of sibling tasks against the comparison of each pair."""

from __future__ import annotations

import ctypes
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.interceptors.openmp.omp_memory import omp_take
from irsan.interceptors.openmp.tasks import dependences as dp
from irsan.runtime import arena
from irsan.runtime.records.threads import openmp_records as om
from tests.oracles.openmp_depends import Sibling, Siblings
from tests.support.green import SCRATCH
from tests.support.openmp import forget_openmp

WORDS = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from([1, 1, 2, 3, 4, 8])), min_size=1, max_size=4
)
STEPS = st.lists(st.one_of(WORDS, st.integers(0, 50)), max_size=40)

SAME_GUEST = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def begin() -> int:
    """A parent's record, in a table that nothing has used."""
    forget_openmp()
    return int(omp_take(om.TASK_DTYPE.itemsize))


def make(ctx: Any, parent: int, words: list[tuple[int, int]]) -> int:
    """A child that says these words of addresses."""
    for place, (address, flags) in enumerate(words):
        at = SCRATCH + place * dp.INFO_BYTES
        ctypes.c_uint64.from_address(at).value = 0x1000 + 8 * address
        ctypes.c_uint8.from_address(at + dp.FLAGS_AT).value = flags
    task = int(omp_take(om.TASK_DTYPE.itemsize))
    dp.add_depends(ctx, task, parent, len(words), SCRATCH)
    return task


def combined(words: list[tuple[int, int]]) -> dict[int, int]:
    flags: dict[int, int] = {}
    for address, word in words:
        flags[address] = flags.get(address, 0) | word
    return flags


@SAME_GUEST
@given(steps=STEPS)
def test_tasks_begin_when_what_they_depend_on_is_over(guest: Any, steps: list[Any]) -> None:
    guest.ctx["sanitize_thread"] = 0
    parent, twin, records = begin(), Siblings(), []
    for step in steps:
        if isinstance(step, list):
            records.append(make(guest.ctx, parent, step))
            twin.tasks.append(Sibling(combined(step)))
        elif records:
            advance(guest.ctx, twin, records, step % len(records))
        for number, task in enumerate(twin.tasks):
            if task.state == "made":
                assert bool(dp.may_begin(records[number])) == twin.may_begin(number), number


def advance(ctx: Any, twin: Siblings, records: list[int], number: int) -> None:
    """One task begins, if it may, or ends."""
    task = twin.tasks[number]
    if task.state == "made" and twin.may_begin(number):
        dp.begin_depends(ctx, records[number])
        task.state = "runs"
    elif task.state == "runs":
        dp.publish_depends(ctx, records[number])
        dp.end_depends(ctx, records[number])
        task.state = "over"


def test_nothing_is_left_behind(guest: Any) -> None:
    guest.ctx["sanitize_thread"] = 0
    parent = begin()
    bump = arena.view_record(om.TABLE, om.SETTINGS_DTYPE)
    used = []
    for _ in range(4):
        tasks = [make(guest.ctx, parent, [(0, 1 + number % 2), (1, 4)]) for number in range(20)]
        for task in tasks:
            dp.begin_depends(guest.ctx, task)
            dp.end_depends(guest.ctx, task)
        dp.forget_entries(guest.ctx, parent)
        for task in tasks:
            dp.omp_give(task, om.TASK_DTYPE.itemsize)
        used.append(int(bump["bump"]))
    assert used[0] == used[-1]
