"""Sizes, alignments and offsets against LLVM's own answers, through llvmlite."""

from __future__ import annotations

import llvmlite.binding as llvm
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.errors import UnsupportedError, UsageError
from irsan.ir.constants import ConstantInt
from irsan.ir.datalayout import DataLayout
from irsan.ir.types import StructType, Type, TypeContext
from irsan.ir.values import Argument
from tests.ir.test_types import build, scalars

X86_64 = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
LAYOUTS = ["", X86_64, "E-p:32:32-i64:64-v64:32", "e-p:64:64-p1:32:32-p2:128:128:128:32-A5-a:0:64"]
fixed = st.recursive(
    st.one_of(scalars, st.tuples(st.just("vector"), st.integers(1, 5), scalars, st.just(False))),
    lambda inner: st.one_of(
        st.tuples(st.just("array"), st.integers(0, 4), inner),
        st.tuples(st.just("struct"), st.booleans(), st.lists(inner, max_size=3).map(tuple)),
    ),
    max_leaves=6,
)


def llvm_type(spelling: str) -> llvm.TypeRef:
    """The type as llvmlite knows it; the module is kept alive by the reference."""
    module = llvm.parse_assembly(f"@x = external global {spelling}")
    return module.get_global_variable("x").global_value_type


@pytest.mark.parametrize("text", LAYOUTS)
@settings(max_examples=150, deadline=None)
@given(naive=fixed)
def test_sizes_agree_with_llvm(text: str, naive: tuple[object, ...]) -> None:
    context = TypeContext()
    ours: Type = build(context, naive)
    layout, theirs = DataLayout.of(text), llvm.create_target_data(text)
    reference = llvm_type(ours.text)
    assert layout.alloc_size(ours) == theirs.get_abi_size(reference)
    assert layout.abi_alignment(ours) == theirs.get_abi_alignment(reference)
    if isinstance(ours, StructType):
        expected = [theirs.get_element_offset(reference, i) for i in range(len(ours.elements))]
        assert list(layout.struct_layout(ours).offsets) == expected


def test_offsets_of_constant_indices() -> None:
    t = TypeContext()
    inner = t.struct([t.i8, t.array(t.i64, 3)])
    layout = DataLayout.of(X86_64)
    assert layout.gep_offset(inner, [0, 1, 2]) == 24
    assert layout.gep_offset(inner, [-1]) == -32
    assert layout.gep_offset(t.array(inner, 4), [1, 2, 1, 1]) == 4 * 32 + 2 * 32 + 16


def test_terms_of_variable_indices() -> None:
    t = TypeContext()
    inner = t.struct([t.i8, t.array(t.i64, 3)])
    variable = Argument(t.i64, 0)
    layout = DataLayout.of(X86_64)
    indices = [variable, ConstantInt(t.i32, 1), variable]
    assert layout.gep_terms(inner, indices) == (8, [(variable, 32), (variable, 8)])
    assert layout.gep_terms(inner, [ConstantInt(t.i64, 2), ConstantInt(t.i32, 1)]) == (72, [])


def test_a_vector_has_no_padding_between_elements() -> None:
    t = TypeContext()
    layout = DataLayout.of(X86_64)
    assert layout.gep_offset(t.vector(t.integer(24), 4), [0, 2]) == 6
    assert layout.size_bits(t.vector(t.integer(24), 4)) == 96


def test_what_has_no_size_says_so() -> None:
    t = TypeContext()
    layout = DataLayout.of("")
    for sizeless in (t.void, t.label, t.vector(t.i8, 4, True), t.target_ext("x")):
        with pytest.raises(UnsupportedError, match="not known"):
            layout.size_bits(sizeless)
    with pytest.raises(UnsupportedError, match="opaque"):
        layout.alloc_size(t.identified_struct("o"))


@pytest.mark.parametrize("text", ["p:x", "q1", "i64", "p:32"])
def test_malformed_layouts_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="makes no sense"):
        DataLayout.of(text)


def test_address_spaces() -> None:
    layout = DataLayout.of("e-p:64:64-p1:32:32-p2:128:128:128:32-A5")
    assert layout.alloca_address_space == 5
    assert layout.pointer(2).index_bits == 32
    assert layout.pointer(7).size_bits == 64
    assert not layout.is_big_endian
