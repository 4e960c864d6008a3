"""Fingerprints and lookups of the model."""

from __future__ import annotations

from dataclasses import replace

from irsan.reports.model.report import Finding, Stack
from tests.reports import samples

RACE = samples.RACES["race-heap"]
UAF = samples.MEMORY["heap-use-after-free"]


def moved(finding: Finding, by: int, thread: str) -> Finding:
    """The same bug at other addresses, in another thread, in another directory."""

    def shifted(stack: Stack) -> Stack:
        frames = tuple(
            replace(f, pc=f.pc + by, module="/x/y", file=f.file.replace("/src", "/else"))
            for f in stack.frames
        )
        return replace(stack, frames=frames, thread=thread)

    return replace(
        finding, stacks=tuple(map(shifted, finding.stacks)), pc=finding.pc + by, thread=thread
    )


def test_id_ignores_addresses_threads_and_directories() -> None:
    assert moved(UAF, 0x5000, "T7").id == UAF.id


def test_id_ignores_which_access_came_second() -> None:
    access, previous, *rest = RACE.stacks
    swapped = replace(
        RACE,
        stacks=(replace(previous, role="access"), replace(access, role="previous"), *rest),
    )
    assert swapped.id == RACE.id


def test_the_id_of_a_use_after_free_knows_where_the_block_came_from() -> None:
    assert replace(UAF, stacks=UAF.stacks[:1]).id != UAF.id


def test_ids_tell_bugs_apart() -> None:
    shapes = {
        (f.tool, f.kind, tuple(fr.line for s in f.stacks for fr in s.frames)): f.id
        for f in samples.EVERYTHING.values()
    }
    assert replace(UAF, kind="double-free").id != UAF.id
    assert replace(UAF, stacks=(samples.access(samples.own("g", 7)),)).id != UAF.id
    assert len(set(shapes.values())) > len(shapes) // 2
    assert samples.LEAKS[0].id != samples.LEAKS[2].id


def test_stack_lookup() -> None:
    cycle = samples.RACES["lock-order-inversion"]
    assert cycle.stack("access", subject=1) is cycle.stacks[1]
    assert cycle.stack("thread-creation", thread="T1") is samples.CREATED_T1
    assert cycle.stack("thread-creation", thread="T9") is None
    race = samples.RACES["race-global"]
    assert race.stack("mutex-creation", mutex="M1") is samples.MADE_M1
    assert race.thread_facts("T1") is samples.T1
