"""Equality of types, recursive ones included, against its naive twin."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.ir.linker.type_map import completions
from irsan.ir.type_equality.classes import equality_classes
from irsan.ir.type_equality.ranked import original_name, parts_of, serialise, symbol_of
from irsan.ir.types import StructType, Type, TypeContext
from tests.oracles.type_equality import equal_pairs

NAMES = ("node", "node.1", "node.2", "leaf", "leaf.7", None)


@st.composite
def worlds(draw: st.DrawFn) -> list[Type]:
    """Identified structs of one or two contexts that may contain each other by typed pointers, and
    types made of them."""
    found: list[Type] = []
    for context in [TypeContext() for _ in range(draw(st.integers(1, 2)))]:
        names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=5))
        structs = [context.identified_struct(name) for name in names]
        local: list[Type] = [context.i32, context.ptr(), *structs]
        local += [context.typed_pointer(struct) for struct in structs]
        local += draw(derived(context, local))
        for struct in structs:
            if draw(st.integers(0, 4)):
                elements = draw(st.lists(st.sampled_from(local), max_size=3))
                struct.set_body(elements, draw(st.booleans()))
        found += local
    return found


@st.composite
def derived(draw: st.DrawFn, context: TypeContext, known: list[Type]) -> list[Type]:
    """Arrays, literal structs and functions of known types."""
    made: list[Type] = []
    for kind in draw(st.lists(st.sampled_from(("array", "struct", "function")), max_size=4)):
        parts = draw(st.lists(st.sampled_from([*known, *made]), min_size=1, max_size=2))
        if kind == "array":
            made.append(context.array(parts[0], draw(st.integers(0, 2))))
        elif kind == "struct":
            made.append(context.struct(parts, draw(st.booleans())))
        else:
            made.append(context.function(parts[0], parts[1:], draw(st.booleans())))
    return made


@settings(max_examples=400, deadline=None)
@given(worlds())
def test_classes_are_those_of_the_twin(types: list[Type]) -> None:
    structs = [one for one in types if isinstance(one, StructType) and not one.is_literal]
    complete = completions(structs)
    ranked = serialise(types, complete)
    classes = equality_classes(ranked)
    pairs = equal_pairs(types, complete)
    for one in types:
        for other in types:
            are_equal = classes[ranked.number(one)] == classes[ranked.number(other)]
            assert are_equal == ((one, other) in pairs)


@given(worlds())
def test_a_symbol_has_one_rank(types: list[Type]) -> None:
    ranks: dict[object, int] = {}
    for one in serialise(types).types:
        assert ranks.setdefault(symbol_of(one), len(parts_of(one))) == len(parts_of(one))


def ring(context: TypeContext, n_structs: int, name: str = "node") -> list[StructType]:
    """Structs each of which points to the next one, and the last to the first."""
    structs = [context.identified_struct(name) for _ in range(n_structs)]
    for struct, following in zip(structs, [*structs[1:], structs[0]], strict=True):
        struct.set_body([context.i32, context.typed_pointer(following)])
    return structs


def test_rings_of_any_length_are_one_type() -> None:
    context = TypeContext()
    structs = [*ring(context, 2), *ring(context, 3), *ring(context, 7)]
    ranked = serialise(structs)
    classes = equality_classes(ranked)
    assert len({classes[ranked.number(struct)] for struct in structs}) == 1


def test_chains_of_other_lengths_differ() -> None:
    """The longest chain needs a split for each of its links."""
    context = TypeContext()
    chain: list[Type] = [context.identified_struct("node", [context.i32])]
    for _ in range(30):
        pointer = context.typed_pointer(chain[-1])
        chain.append(context.identified_struct("node", [pointer]))
    ranked = serialise(chain)
    classes = equality_classes(ranked)
    assert len({classes[ranked.number(one)] for one in chain}) == 31


@pytest.mark.parametrize(("name", "original"), [
    ("struct.a", "struct.a"), ("struct.a.12", "struct.a"), ("a.1.2", "a"), ("a.b1", "a.b1"),
    (".1", ".1"), ("a..1", "a..1"), ("a.1b", "a.1b"), ("12", "12"),
])  # fmt: skip
def test_original_names(name: str, original: str) -> None:
    assert original_name(name) == original


def test_an_opaque_struct_is_not_completed_by_what_contains_it() -> None:
    context = TypeContext()
    later = context.identified_struct("a")
    holder = context.identified_struct("b", [later])
    body = context.identified_struct("a", [holder])
    other = context.identified_struct("b")
    assert completions([later, holder, body, other]) == {other: holder}


def test_time_grows_little_faster_than_the_types() -> None:
    """Chains are the slow case of a partition: every link splits one class."""
    seconds = [seconds_for_chain(n_types) for n_types in (2_000, 16_000)]
    assert seconds[1] < seconds[0] * 8 * 4


def seconds_for_chain(n_types: int) -> float:
    """Processor time for a chain of pointers, the best of three."""
    context = TypeContext()
    chain: list[Type] = [context.identified_struct("node", [context.i32])]
    for _ in range(n_types // 2):
        chain.append(context.identified_struct("node", [context.typed_pointer(chain[-1])]))
    best = float("inf")
    for _ in range(3):
        started = time.process_time()
        classes = equality_classes(serialise([chain[-1]]))
        best = min(best, time.process_time() - started)
    assert len(set(classes)) == len(classes)
    return best
