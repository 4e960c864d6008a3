"""Names of OpenMP's threads in reports."""

from __future__ import annotations

import ctypes
from dataclasses import replace

import pytest

from irsan.reports.model.report import Finding, Frame, Stack, ThreadFacts
from irsan.runtime.diagnosis.openmp_names import with_region_names
from irsan.runtime.records.threads.openmp_records import IS_TASK, LABEL_BYTES, LABELS

pytestmark = pytest.mark.usefixtures("guest")


def label(tid: int, number: int, size: int) -> None:
    words = (ctypes.c_uint32 * 2).from_address(LABELS + tid * LABEL_BYTES)
    words[0], words[1] = number, size


def finding(*functions: str) -> Finding:
    frames = tuple(Frame(function, "a.c", 1, 1) for function in functions)
    return Finding(
        tool="ThreadSanitizer", kind="data race", thread="T7",
        threads=(ThreadFacts("T7"), ThreadFacts("T8", name="own"), ThreadFacts("T9")),
        stacks=(Stack("thread-creation", "T7", frames),),
    )  # fmt: skip


def names(one: Finding) -> list[str]:
    return [facts.name for facts in with_region_names(one).threads]


def test_a_thread_of_a_team_and_a_task() -> None:
    label(7, 2, 4)
    label(8, 1, 4)
    label(9, 0, 0)
    assert names(finding("solve", "main")) == ["parallel region of solve, thread 2 of 4", "own", ""]
    label(7, 0, IS_TASK)
    assert names(finding("solve"))[0] == "task of solve"
    label(7, 0, 0)
    assert names(finding("solve"))[0] == ""


def test_what_clang_makes_is_part_of_the_function_around() -> None:
    label(7, 0, IS_TASK)
    assert names(finding("main.omp_outlined_debug__.3"))[0] == "task of main"
    assert names(finding(".omp_outlined.", ".omp_task_entry..4", "main"))[0] == "task of main"
    assert names(finding("_Z5solvei.omp_outlined"))[0] == "task of solve(int)"
    one = finding("main")
    assert names(replace(one, stacks=()))[0] == "task"
    label(7, 0, 0)
