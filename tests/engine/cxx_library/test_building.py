"""Members made side by side: all of them, once each, and errors by name."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from irsan.engine.cxx_library.building import Job, Made, one_by_one, side_by_side
from irsan.engine.cxx_library.members import Member
from irsan.errors import InternalError, UnsupportedError, UsageError

JOBS: list[Job] = [(f"m{number}", Path(f"m{number}.cpp"), number) for number in range(9)]


def made(job: Job) -> Made:
    return Member(str(os.getpid()).encode(), job[2], 1, {}), job[0]


@pytest.mark.parametrize("n_workers", [2, 3])
def test_every_member_comes_once_from_another_process(n_workers: int) -> None:
    found = list(side_by_side(JOBS, made, n_workers))
    assert sorted(name for name, _ in found) == sorted(job[0] for job in JOBS)
    assert all(name == sites for name, (_, sites) in found)
    processes = {int(member.object) for _, (member, _) in found}
    assert os.getpid() not in processes
    assert len(processes) <= n_workers


def test_in_one_process_the_order_is_that_of_the_jobs() -> None:
    assert [name for name, _ in one_by_one(JOBS, made)] == [job[0] for job in JOBS]


def refuse(job: Job) -> Made:
    if job[2] == 4:
        raise UsageError("no such header")
    return made(job)


def fail(job: Job) -> Made:
    return made(job) if job[2] != 4 else Member(b"", 1 // (job[2] - 4), 0, {})


def die(job: Job) -> Made:
    if job[2] == 4:
        os._exit(9)
    return made(job)


def test_an_error_names_the_source() -> None:
    with pytest.raises(UnsupportedError, match=r"m4\.cpp: no such header"):
        list(side_by_side(JOBS, refuse, 2))
    with pytest.raises(InternalError, match="ZeroDivisionError"):
        list(side_by_side(JOBS, fail, 2))
    with pytest.raises(InternalError, match=r"m4\.cpp has ended"):
        list(side_by_side(JOBS, die, 2))
