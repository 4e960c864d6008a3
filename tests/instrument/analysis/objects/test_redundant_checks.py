"""Which checks may go: the facts of a block against all pairs of its accesses."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from irsan.instrument.analysis.objects.addresses import Place
from irsan.instrument.analysis.objects.escape import unescaped_allocas
from irsan.instrument.analysis.objects.redundant_checks import CoveredPlaces
from irsan.ir.builder import Builder
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Alloca
from irsan.ir.module import Module
from irsan.ir.values import Value
from tests.oracles.access_facts import Event, escaping, kept_race_checks

ACCESS = st.tuples(
    st.sampled_from(["read", "write"]), st.integers(0, 2), st.sampled_from([1, 4, 8])
)
EVENTS = st.lists(st.one_of(ACCESS, ACCESS, ACCESS, st.just(("forget",))), max_size=14)


def kept_by_the_block(events: list[Event]) -> list[int]:
    """The events whose check is in the block that comes out."""
    module = Module()
    root = Builder(module).alloca(module.types.i64, 8)
    covered, out, owner = CoveredPlaces(), list[Instruction | None](), dict[int, int]()
    for index, event in enumerate(events):
        if event[0] == "forget":
            covered.forget()
            continue
        kind, number, size = event  # type: ignore[misc]
        place = Place(root, number)
        if kind == "read":
            needed = covered.needs_read_check(place, size, len(out))
        else:
            needed = covered.needs_write_check(place, size)
            if needed:
                covered.drop_read_before_write(place, size, out)
        if needed:
            owner[len(out)] = index
            out.append(Builder(module).alloca(module.types.i8, 1))
        out.append(Builder(module).alloca(module.types.i8, 1))
    return [owner[at] for at, made in enumerate(out) if at in owner and made is not None]


@given(EVENTS)
def test_what_is_dropped_is_covered_by_what_stays(events: list[Event]) -> None:
    kept = kept_by_the_block(events)
    assert set(kept_race_checks(events)) <= set(kept)
    for index, event in enumerate(events):
        if event[0] == "forget" or index in kept:
            continue
        # Something that stays stands for it, in the same stretch without a forget.
        stretch = [i for i in kept if ("forget",) not in events[min(i, index) : max(i, index)]]
        kind, place, size = event  # type: ignore[misc]
        assert any(
            events[i][1] == place  # type: ignore[misc]
            and events[i][2] >= size  # type: ignore[misc]
            and (events[i][0] == "write" or kind == "read")
            for i in stretch
        )


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["gep", "select", "load", "compare", "leak", "store_to"]),
        st.integers(0, 30),
        st.integers(0, 30),
    ),
    max_size=20,
)


@given(st.integers(1, 4), STEPS)
def test_escape_is_the_closure_of_the_flows(
    n_roots: int, steps: list[tuple[str, int, int]]
) -> None:
    module = Module()
    types = module.types
    function = module.declare_function(
        "f", types.function(types.void, [types.ptr_default, types.i1])
    )
    at = Builder(module, function.new_block(types.label).instructions)
    pointers: list[Value] = [at.alloca(types.i64, 8) for _ in range(n_roots)]
    flows, leaks = list[tuple[int, int]](), list[int]()
    for kind, left, right in steps:
        left, right = left % len(pointers), right % len(pointers)
        new = len(pointers)
        if kind == "gep":
            pointers.append(at.byte_gep(pointers[left], at.integer(64, 8)))
            flows.append((left, new))
        elif kind == "select":
            chosen = at.select(function.arguments[1], pointers[left], pointers[right])
            pointers.append(chosen)
            flows += [(left, new), (right, new)]
        elif kind == "load":
            at.load(types.i64, pointers[left], 8)
        elif kind == "compare":
            at.icmp("eq", pointers[left], pointers[right])
        elif kind == "leak":
            at.store(pointers[left], function.arguments[0], 8)
            leaks.append(left)
        else:
            at.store(at.integer(64, 1), pointers[left], 8)
    at.ret()
    private = unescaped_allocas(function)
    expected = set(range(n_roots)) - escaping(n_roots, flows, leaks)
    assert {i for i in range(n_roots) if pointers[i] in private} == expected
    assert all(isinstance(alloca, Alloca) for alloca in private)
