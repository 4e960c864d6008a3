"""Types: uniquing by structure, identified structs by name, spelling; against a naive twin."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan.ir.types import FunctionType, Type, TypeContext, TypeID
from tests.oracles.types import Naive, NaiveNames, spelling

FLOATS = ("half", "bfloat", "float", "double", "x86_fp80", "fp128", "ppc_fp128")
scalars = st.one_of(
    st.integers(1, 130).map(lambda width: ("int", width)),
    st.sampled_from(FLOATS).map(lambda name: ("float", name)),
    st.integers(0, 3).map(lambda space: ("ptr", space)),
)
vectors = st.tuples(st.just("vector"), st.integers(1, 5), scalars, st.booleans())
data = st.recursive(
    st.one_of(scalars, vectors),
    lambda inner: st.one_of(
        st.tuples(st.just("array"), st.integers(0, 4), inner),
        st.tuples(st.just("struct"), st.booleans(), st.lists(inner, max_size=3).map(tuple)),
    ),
    max_leaves=6,
)
functions = st.tuples(
    st.just("function"), data, st.lists(data, max_size=3).map(tuple), st.booleans()
)
types = st.one_of(data, functions)


def build(context: TypeContext, naive: Naive) -> Type:
    """The real type of a naive one."""
    kind = naive[0]
    if kind == "int":
        return context.integer(naive[1])
    if kind == "float":
        found = getattr(context, naive[1])
        assert isinstance(found, Type)
        return found
    if kind == "ptr":
        return context.ptr(naive[1])
    if kind == "array":
        return context.array(build(context, naive[2]), naive[1])
    if kind == "vector":
        return context.vector(build(context, naive[2]), naive[1], naive[3])
    if kind == "struct":
        return context.struct([build(context, element) for element in naive[2]], naive[1])
    parameters = [build(context, parameter) for parameter in naive[2]]
    return context.function(build(context, naive[1]), parameters, naive[3])


@given(st.lists(types, min_size=2, max_size=6))
def test_types_are_unique_by_structure(naive_types: list[Naive]) -> None:
    context = TypeContext()
    built = [build(context, naive) for naive in naive_types]
    for naive, real in zip(naive_types, built, strict=True):
        assert real.text == spelling(naive)
        assert build(context, naive) is real
    for naive, real in zip(naive_types, built, strict=True):
        for other_naive, other in zip(naive_types, built, strict=True):
            assert (real is other) == (naive == other_naive)


@given(st.lists(st.sampled_from(["a", "b", "a.0", "a.1", "odd name"]), max_size=12))
def test_identified_structs_are_renamed_on_collision(names: list[str]) -> None:
    context, naive = TypeContext(), NaiveNames()
    for name in names:
        struct = context.identified_struct(name)
        assert struct.name == naive.claim(name)
        assert context.struct_by_name(struct.name) is struct
    assert [struct.name for struct in context.identified] == naive.taken


def test_an_opaque_struct_is_completed_once() -> None:
    context = TypeContext()
    node = context.identified_struct("node")
    assert node.is_opaque
    assert node.body_text == "opaque"
    node.set_body([context.i32, context.ptr()])
    assert node.body_text == "{ i32, ptr }"
    with pytest.raises(ValueError, match="already has a body"):
        node.set_body([])


def test_identified_structs_of_one_body_differ() -> None:
    context = TypeContext()
    first = context.identified_struct("a", [context.i32])
    second = context.identified_struct("b", [context.i32])
    assert first is not second
    assert context.struct([context.i32]) is not first
    assert context.struct([first]) is not context.struct([second])


def test_unnamed_identified_structs_are_numbered() -> None:
    context = TypeContext()
    context.identified_struct("named")
    assert [context.identified_struct(None, []).text for _ in range(2)] == ["%0", "%1"]


def test_literal_structs_cannot_be_completed() -> None:
    context = TypeContext()
    with pytest.raises(ValueError, match="already has a body"):
        context.struct([]).set_body([])


@pytest.mark.parametrize("width", [0, -1, 1 << 23])
def test_integer_widths_are_checked(width: int) -> None:
    with pytest.raises(ValueError, match="no integer type"):
        TypeContext().integer(width)


def test_every_type_id_can_be_made() -> None:
    context = TypeContext()
    made = [getattr(context, name) for name in (*FLOATS, "void", "label", "metadata", "token")]
    made += [
        context.x86_amx,
        context.i1,
        context.ptr(),
        context.struct(),
        context.array(context.i8, 1),
    ]
    made += [context.vector(context.i8, 2), context.vector(context.i8, 2, True)]
    made += [context.function(context.void), context.target_ext("spirv.Image", [context.void], [1])]
    made.append(context.typed_pointer(context.i8))
    assert {kind.type_id for kind in made} == set(TypeID)


def test_function_types_keep_their_parts() -> None:
    context = TypeContext()
    kind = context.function(context.void, [context.ptr(), context.i32], is_vararg=True)
    assert isinstance(kind, FunctionType)
    assert kind.text == "void (ptr, i32, ...)"
    assert kind.parameters == (context.ptr(), context.i32)


def test_target_types_are_unique_and_spelt() -> None:
    context = TypeContext()
    image = context.target_ext("spirv.Image", [context.void], [1, 0])
    assert image.text == 'target("spirv.Image", void, 1, 0)'
    assert context.target_ext("spirv.Image", [context.void], [1, 0]) is image
