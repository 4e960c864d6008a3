"""The table of objects and their uses against the naive twin: births, deaths, any access."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.runtime import arena
from irsan.runtime.diagnosis.diagnose_provenance import is_provenance_fault, read_row
from irsan.runtime.kernels import actions
from irsan.runtime.kernels.combined import tracked_heap
from irsan.runtime.kernels.heap import heap
from irsan.runtime.kernels.provenance import provenance_objects as objects
from irsan.runtime.kernels.provenance import provenance_use as use
from irsan.runtime.layout import memory_map, options
from irsan.runtime.records.memory import heap_records as hr
from irsan.runtime.records.memory import provenance_records as pr
from tests.oracles.pointer_provenance import NaiveObjects
from tests.support.green import Body, GreenGuest
from tests.support.provenance_memory import empty_provenance_memory

BASE = memory_map.STACKS_LO + 4096
N_PLACES, PLACE_BYTES = 6, 64
WORDS = {0: "", pr.OUTSIDE: "outside", pr.DIED: "dead"}
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("new"), st.integers(0, N_PLACES - 1), st.integers(1, PLACE_BYTES)),
        st.tuples(st.just("end"), st.integers(0, 30), st.just(0)),
        st.tuples(st.just("begin"), st.integers(0, 30), st.just(0)),
        st.tuples(st.just("expose"), st.integers(0, 30), st.just(0)),
        st.tuples(st.just("popped"), st.integers(0, N_PLACES * PLACE_BYTES), st.integers(0, 150)),
    ),
    min_size=1,
    max_size=30,
)


@pytest.fixture
def green(guest: Any) -> Iterator[GreenGuest]:
    """A guest with one thread."""

    def idle() -> Body:
        yield None
        return 0

    found = GreenGuest(guest.ctx)
    options.set_default_options(guest.ctx)
    found.start(idle())
    yield found
    found.close()


@pytest.fixture
def ctx(guest: Any) -> Any:
    empty_provenance_memory()
    return guest.ctx


def run_steps(ctx: Any, steps: list[Any]) -> tuple[NaiveObjects, list[int]]:
    """Objects of the stack that come and go; places are taken again only when they are free."""
    empty_provenance_memory()
    naive, ids = NaiveObjects(), []
    for word, number, size in steps:
        if word == "new":
            lo = BASE + number * PLACE_BYTES
            for other, known in zip(naive.all, ids, strict=True):
                if other.lo == lo and other.is_alive:
                    other.is_alive = False
                    objects.provenance_end(known)
            naive.new(lo, size)
            ids.append(int(objects.provenance_stack(ctx, lo, size, 7)))
        elif word == "popped":
            naive.pop(BASE + number, BASE + number + size)
            objects.provenance_popped(BASE + number, BASE + number + size)
        elif ids:
            at = number % len(ids)
            one = naive.all[at]
            taken = any(o.lo == one.lo and o.is_alive and o is not one for o in naive.all)
            if word == "end":
                one.is_alive = False
                objects.provenance_end(ids[at])
            elif word == "expose":
                one.is_exposed = True
                use.provenance_expose(ids[at])
            elif not taken:
                one.is_alive = True
                objects.provenance_begin(ids[at])
    return naive, ids


@settings(max_examples=120, deadline=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture])  # fmt: skip
@given(steps=STEPS, offset=st.integers(-80, 450), size=st.integers(0, 20))
def test_accesses_are_judged_as_the_naive_twin_does(
    ctx: Any, steps: list[Any], offset: int, size: int
) -> None:
    naive, ids = run_steps(ctx, steps)
    assert len(set(ids)) == len(ids)
    address = BASE + offset
    for number, known in enumerate(ids):
        ctx["action"] = actions.NONE
        use.provenance_range(ctx, address, known, size, 1)
        wrong = naive.judge(number, address, size)
        found = int(ctx["fault"][6]) if int(ctx["action"]) == actions.REPORT else 0
        assert WORDS[found] == wrong
        if wrong:
            row = read_row(int(ctx["fault"][7]))
            assert row is not None and row.lo == naive.all[number].lo and row.is_stack
            assert is_provenance_fault(ctx)


@settings(max_examples=120, deadline=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture])  # fmt: skip
@given(steps=STEPS, offset=st.integers(0, N_PLACES * PLACE_BYTES - 1))
def test_numbers_may_become_pointers_to_exposed_objects_only(
    ctx: Any, steps: list[Any], offset: int
) -> None:
    naive, ids = run_steps(ctx, steps)
    address = BASE + offset
    holder = naive.at(address)
    found = int(objects.object_at(ctx, address))
    assert found == (ids[naive.all.index(holder)] if holder is not None else 0)
    made = int(use.provenance_from_int(ctx, address))
    assert made == (pr.UNEXPOSED if holder is not None and not holder.is_exposed else 0)
    ctx["action"] = actions.NONE
    use.provenance_use(ctx, address, made, 4 << 3)
    assert (int(ctx["action"]) == actions.REPORT) == (made != 0)


def test_a_row_is_used_again_only_when_the_ring_is_round(ctx: Any) -> None:
    first = int(objects.provenance_stack(ctx, BASE, 8, 0))
    objects.provenance_end(first)
    arena.view_words(pr.NEXT_STACK, 1)[0] = pr.N_STACK_ROWS
    again = int(objects.provenance_stack(ctx, BASE, 8, 0))
    assert again != first and (again ^ first) % (1 << 32) == 0
    ctx["action"] = actions.NONE
    use.provenance_use(ctx, BASE + 64, first, 8 << 3)
    assert int(ctx["action"]) == actions.NONE
    arena.view_words(pr.NEXT_STACK, 1)[0] = 2 * pr.N_STACK_ROWS
    assert int(objects.provenance_stack(ctx, BASE + 64, 8, 0)) % (1 << 32) != again % (1 << 32)


def test_blocks_of_the_heap_are_objects_until_they_are_freed(ctx: Any) -> None:
    options.set_default_options(ctx)
    heap.heap_init(ctx)
    addr = int(tracked_heap.tracked_allocate(ctx, 40, 0, hr.MALLOC))
    first = int(objects.provenance_beginning(addr))
    assert first and int(objects.object_at(ctx, addr + 39)) == first
    assert int(objects.object_at(ctx, addr + 40)) == 0
    moved = int(tracked_heap.tracked_reallocate(ctx, addr, 100))
    assert int(objects.provenance_beginning(addr)) == 0
    second = int(objects.provenance_beginning(moved))
    assert second not in (0, first)
    ctx["action"] = actions.NONE
    use.provenance_use(ctx, addr, first, 4 << 3)
    assert int(ctx["fault"][6]) == pr.DIED


def test_globals_count_as_exposed(ctx: Any) -> None:
    objects.provenance_global(ctx, memory_map.GLOBALS_LO + 64, 12)
    number = int(objects.provenance_beginning(memory_map.GLOBALS_LO + 64))
    assert number % (1 << 32) == pr.GLOBAL_FIRST
    assert int(use.provenance_from_int(ctx, memory_map.GLOBALS_LO + 70)) == 0


def test_a_block_that_serves_as_a_stack_is_left_alone(ctx: Any) -> None:
    options.set_default_options(ctx)
    heap.heap_init(ctx)
    addr = int(tracked_heap.tracked_allocate(ctx, 400, 0, hr.MALLOC))
    number = int(objects.provenance_beginning(addr))
    objects.provenance_popped(addr - 64, addr + 400)
    assert number and int(objects.provenance_beginning(addr)) == number


def test_initial_pointers_get_ids_where_they_still_are(ctx: Any) -> None:
    objects.provenance_global(ctx, memory_map.GLOBALS_LO + 64, 12)
    number = int(objects.provenance_beginning(memory_map.GLOBALS_LO + 64))
    pointer, places = memory_map.GLOBALS_LO + 68, [BASE, BASE + 8, BASE + 20, BASE + 32]
    unknown = memory_map.GLOBALS_LO + 640
    held = [pointer, pointer + 1, pointer, unknown]
    for place, value in zip(places, held, strict=True):
        arena.view_words(place, 1)[0] = value
    table = arena.view_words(BASE + 256, 12)
    for at, place in enumerate(places):
        base = unknown if at == 3 else memory_map.GLOBALS_LO + 64
        table[3 * at : 3 * at + 3] = place, unknown if at == 3 else pointer, base
    use.provenance_initial(BASE + 256, 4)
    found = [arena.view_words(pr.SLOTS + 2 * (place & ~7), 2) for place in places]
    assert [tuple(int(word) for word in pair) for pair in found] == [
        (pointer, number), (0, 0), (pointer ^ 4 << pr.PLACE_SHIFT, number), (unknown, 0),
    ]  # fmt: skip


LEFT = st.lists(
    st.one_of(
        st.tuples(st.just("new"), st.integers(0, 40), st.integers(1, 8)),
        st.tuples(st.just("left"), st.integers(0, 40), st.integers(0, 40)),
    ),
    max_size=30,
)


@settings(max_examples=120, deadline=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture])  # fmt: skip
@given(steps=LEFT)
def test_variables_of_frames_that_were_left_end(green: GreenGuest, steps: list[Any]) -> None:
    """A birth ends what lay there; leaving frames ends all that lies below the stack pointer."""
    empty_provenance_memory()
    (thread,) = green.threads.values()
    thread.record["unwind"]["lowest_birth"] = 0
    naive, ids = NaiveObjects(), []
    for word, place, size in steps:
        lo = BASE + 8 * place
        if word == "new":
            naive.pop(lo, lo + 8)
            objects.provenance_popped(lo, lo + 8)
            naive.new(lo, size)
            ids.append(int(objects.provenance_stack(green.ctx, lo, size, 7)))
        else:
            naive.pop(BASE, lo)
            objects.provenance_unwound(green.ctx, BASE, lo)
        for one, number in zip(naive.all, ids, strict=True):
            row = read_row(int(objects.id_to_row(number)))
            assert row is not None and row.is_alive == one.is_alive


RINGS = {
    "heap": (pr.NEXT_HEAP, pr.HEAP_FIRST, pr.N_HEAP_ROWS),
    "stack": (pr.NEXT_STACK, pr.STACK_FIRST, pr.N_STACK_ROWS),
    "globals": (pr.NEXT_GLOBAL, pr.GLOBAL_FIRST, pr.N_GLOBAL_ROWS),
}


@pytest.mark.parametrize("ring", RINGS)
def test_when_a_ring_begins_anew_the_oldest_dead_are_forgotten(ctx: Any, ring: str) -> None:
    """Nothing is said of their pointers; a living object keeps its row."""
    counter, first, n_rows = RINGS[ring]
    dead, living, other = (int(objects.row_take(counter, first, n_rows)) for _ in range(3))
    assert dead & (1 << 32) - 1 == first
    for number in (dead, living, other):
        objects.row_fill(ctx, number, BASE + 64 * (number - dead), 8, 0)
    objects.provenance_end(dead)
    objects.provenance_end(other)
    arena.view_words(counter, 1)[0] = n_rows - 1
    last, *again = (int(objects.row_take(counter, first, n_rows)) for _ in range(3))
    rows = [number & (1 << 32) - 1 for number in (last, *again)]
    assert rows == [first + n_rows - 1, first, first + 2]
    known = [bool(objects.is_known(number)) for number in (dead, living, other)]
    assert known == [False, True, False]
