"""A race found by the kernels, as a finding of the report model."""

from __future__ import annotations

from typing import Any

import pytest

from irsan.reports.model.report import Finding, Frame, GlobalVariable
from irsan.runtime.diagnosis.diagnose_race import diagnose_race, race_kind
from irsan.runtime.kernels import callstack
from irsan.runtime.kernels.race import access as fasttrack
from irsan.runtime.kernels.race import race_free, thread_clocks
from irsan.runtime.layout import memory_map

ADDR = memory_map.HEAP_LO + 64


def site_to_frames(site: int) -> tuple[Frame, ...]:
    return (Frame(f"f{site}", "a.c", site),)


def describe(addr: int) -> Any:
    return (GlobalVariable(addr, "counter", ADDR, 8),), ()


def access(guest: Any, site: int, addr: int, size: int, kind: int) -> None:
    guest.ctx["site"] = site
    fasttrack.race_access_slow(guest.ctx, addr, size, kind)


def fork(guest: Any, tid: int) -> Any:
    child = guest.new_thread(tid)
    guest.ctx["site"] = 90 + tid
    child["creation_stack"] = callstack.current_stack_id(guest.ctx)
    child["parent_tid"] = 0
    assert thread_clocks.thread_fork(guest.ctx, memory_map.THREADS + tid * memory_map.THREAD_STRIDE)
    return child


def diagnose(guest: Any) -> Finding:
    return diagnose_race(guest.ctx, site_to_frames, describe)


def functions(finding: Finding, role: Any, thread: str | None = None) -> list[str]:
    stack = finding.stack(role, thread=thread)
    assert stack is not None
    return [frame.function for frame in stack.frames]


def test_both_sides_threads_and_place(guest: Any) -> None:
    child = fork(guest, 1)
    guest.ctx["site"] = 3
    callstack.callstack_enter(guest.ctx)
    access(guest, 4, ADDR, 8, 1)
    guest.switch_to(child)
    child["name"] = (int.from_bytes(b"worker", "little"), 0, 0, 0)
    access(guest, 7, ADDR + 4, 4, 0)
    finding = diagnose(guest)
    assert (finding.tool, finding.kind) == ("ThreadSanitizer", "data race")
    assert finding.access is not None and finding.previous_access is not None
    now, before = finding.access, finding.previous_access
    assert (now.operation, now.size, now.address, now.thread) == ("read", 4, ADDR + 4, "T1")
    assert (before.operation, before.size, before.address) == ("write", 8, ADDR)
    assert before.thread == "T0"
    assert functions(finding, "access") == ["f7"]
    assert functions(finding, "previous") == ["f4", "f3"]
    assert functions(finding, "thread-creation", "T1") == ["f91"]
    (facts,) = finding.threads
    assert (facts.name, facts.status, facts.created_by) == ("worker", "running", "T0")
    assert finding.locations == describe(ADDR + 4)[0]


def test_a_finished_thread_keeps_its_name(guest: Any) -> None:
    child = fork(guest, 1)
    guest.switch_to(child)
    child["name"] = (int.from_bytes(b"gone", "little"), 0, 0, 0)
    access(guest, 7, ADDR, 2, 3)
    thread_clocks.thread_finish(guest.ctx)
    guest.switch_to(guest.main)
    child["name"] = (0, 0, 0, 0)
    access(guest, 8, ADDR, 4, 0)
    finding = diagnose(guest)
    assert finding.previous_access is not None
    assert finding.previous_access.operation == "atomic write"
    assert finding.previous_access.size == 2
    (facts,) = finding.threads
    assert (facts.name, facts.status) == ("gone", "finished")


def test_free_is_heap_use_after_free(guest: Any) -> None:
    child = fork(guest, 1)
    guest.ctx["site"] = 5
    race_free.race_free(guest.ctx, ADDR, 32)
    guest.switch_to(child)
    access(guest, 6, ADDR + 8, 8, 0)
    finding = diagnose(guest)
    assert finding.kind == "heap-use-after-free"
    assert functions(finding, "previous") == ["f5"]


def test_size_of_a_pair_of_cells_comes_from_the_list(guest: Any) -> None:
    child = fork(guest, 1)
    access(guest, 5, ADDR, 8, 1)
    guest.switch_to(child)
    access(guest, 6, ADDR, 8, 1)
    finding = diagnose(guest)
    assert finding.previous_access is not None
    assert (finding.previous_access.address, finding.previous_access.size) == (ADDR, 8)


@pytest.mark.parametrize(
    ("kind", "previous", "word"),
    [
        (0, 1, "data race"),
        (1, 5, "heap-use-after-free"),
        (33, 1, "data race on vptr (ctor/dtor vs virtual call)"),
        (32, 5, "heap-use-after-free (virtual call vs free)"),
    ],
)
def test_kinds(kind: int, previous: int, word: str) -> None:
    assert race_kind(kind, previous) == word
