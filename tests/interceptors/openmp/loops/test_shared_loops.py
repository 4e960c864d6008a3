"""Loops whose chunks are asked for: whoever asks when, every iteration is given out once."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.interceptors.openmp.loops.shared_loops import settle_kind, take_chunk
from irsan.interceptors.openmp.omp_memory import omp_take
from irsan.runtime import arena
from irsan.runtime.records.threads import openmp_records as om
from tests.oracles.openmp_loops import static_blocks, static_chunks
from tests.support.openmp import forget_openmp

KINDS = (om.STATIC, om.STATIC_CHUNKED, om.DYNAMIC, om.GUIDED)
ORDERED, NO_MERGE, MONOTONIC = 32, 128, 1 << 29

pytestmark = pytest.mark.usefixtures("guest")
SAME_GUEST = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def loop_of(trips: int, kind: int, chunk: int) -> Any:
    addr = int(omp_take(om.LOOP_DTYPE.itemsize))
    loop = arena.view_record(addr, om.LOOP_DTYPE)
    loop["trips"], loop["kind"], loop["chunk"] = trips, kind, chunk
    return addr, loop


def task_of(number: int) -> tuple[int, Any]:
    addr = int(omp_take(om.TASK_DTYPE.itemsize))
    task = arena.view_record(addr, om.TASK_DTYPE)
    task["number"] = number
    return addr, task


@SAME_GUEST
@given(
    trips=st.integers(0, 80), kind=st.sampled_from(KINDS), chunk=st.integers(1, 9),
    n=st.integers(1, 6), order=st.randoms(use_true_random=False),
)  # fmt: skip
def test_every_iteration_is_given_out_once(
    trips: int, kind: int, chunk: int, n: int, order: Any
) -> None:
    forget_openmp()
    loop, _ = loop_of(trips, kind, chunk)
    tasks = [task_of(number) for number in range(n)]
    parts: list[list[int]] = [[] for _ in tasks]
    sizes: list[int] = []
    running = list(range(n))
    while running:
        number = order.choice(running)
        addr, task = tasks[number]
        if not take_chunk(loop, addr, n):
            running.remove(number)
            continue
        parts[number] += range(int(task["lower"]), int(task["upper"]))
        sizes.append(int(task["upper"]) - int(task["lower"]))
    counters = list(range(trips))
    assert sorted(at for part in parts for at in part) == counters
    if kind == om.STATIC:
        assert parts == static_blocks(counters, n)
    elif kind == om.STATIC_CHUNKED:
        assert parts == static_chunks(counters, n, chunk)
    elif kind == om.DYNAMIC:
        assert all(size == chunk for size in sizes[:-1])
    else:
        assert all(size >= chunk for size in sizes[:-1]) and sizes == sorted(sizes, reverse=True)


def kind_of(number: int, chunk: int = 0, schedule: int = om.DYNAMIC) -> tuple[int, int, int]:
    forget_openmp()
    loop_addr, loop = loop_of(0, 0, 0)
    task_addr, task = task_of(0)
    task["schedule"], task["chunk"] = schedule, 5
    settle_kind(loop_addr, task_addr, number, chunk)
    return int(loop["kind"]), int(loop["chunk"]), int(loop["is_ordered"])


def test_schedules_have_clangs_numbers() -> None:
    assert kind_of(om.STATIC) == (om.STATIC, 1, 0)
    assert kind_of(om.AUTO) == (om.STATIC, 1, 0)
    assert kind_of(om.STATIC_CHUNKED, 4) == (om.STATIC_CHUNKED, 4, 0)
    assert kind_of(om.DYNAMIC | MONOTONIC, 3) == (om.DYNAMIC, 3, 0)
    assert kind_of(om.GUIDED + ORDERED, 2) == (om.GUIDED, 2, 1)
    assert kind_of(om.STATIC + ORDERED + NO_MERGE) == (om.STATIC, 1, 1)
    assert kind_of(om.RUNTIME) == (om.DYNAMIC, 5, 0)
    assert kind_of(om.RUNTIME, 0, om.STATIC) == (om.STATIC, 5, 0)
