"""Constants: wrapping of integers, exact floating point, spelling."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.ir import constants as k
from irsan.ir.reading import parse_ir_text
from irsan.ir.types import TypeContext
from irsan.ir.values import Function, GlobalVariable

T = TypeContext()
FLOATS = {"half": 16, "bfloat": 16, "float": 32, "double": 64, "x86_fp80": 80, "fp128": 128}


@given(st.integers(1, 200), st.integers())
def test_integers_wrap_to_their_width(width: int, value: int) -> None:
    constant = k.ConstantInt(T.integer(width), value)
    assert constant.unsigned == value % (1 << width)
    assert (constant.value - value) % (1 << width) == 0
    if width > 1:
        assert -(1 << (width - 1)) <= constant.value < 1 << (width - 1)
        assert constant.ref == str(constant.value)


def test_booleans_are_words() -> None:
    assert [k.ConstantInt(T.i1, value).ref for value in (0, 1, -1)] == ["false", "true", "true"]


@given(st.floats(width=32, allow_nan=False))
def test_floats_are_spelt_as_doubles(value: float) -> None:
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    spelt = k.float_text(T.float.type_id, bits)
    assert int(spelt, 16) == struct.unpack("<Q", struct.pack("<d", value))[0]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(FLOATS)), st.data())
def test_llvm_reads_the_bits_back(name: str, data: st.DataObject) -> None:
    """Our spelling, LLVM's parser and bitcode writer, our reader: the bits stay."""
    width = FLOATS[name]
    bits = data.draw(st.integers(0, (1 << width) - 1))
    if name == "float" and bits & 0x7F800000 == 0x7F800000 and bits & 0x7FFFFF:
        bits |= 0x400000  # LLVM quiets a signalling NaN when it reads one
    if name == "x86_fp80":  # the integer bit of what the processor itself would make
        bits = bits & ~(1 << 63) | (bool(bits >> 64 & 0x7FFF) << 63)
    module = parse_ir_text(f"@x = global {k.ConstantFP(getattr(T, name), bits).typed_ref}\n")
    constant = module.globals[0].initializer
    assert isinstance(constant, k.ConstantFP)
    assert constant.bits == bits


def test_zero_is_spelt_by_kind_of_type() -> None:
    spelt = [k.ConstantNull(kind).ref for kind in (T.ptr(), T.token, T.struct(), T.vector(T.i8, 2))]
    assert spelt == ["null", "none", "zeroinitializer", "zeroinitializer"]


def test_aggregates_are_bracketed_by_kind() -> None:
    one = k.ConstantInt(T.i8, 1)
    assert k.ConstantAggregate(T.struct([T.i8]), [one]).ref == "{ i8 1 }"
    assert k.ConstantAggregate(T.struct([T.i8], True), [one]).ref == "<{ i8 1 }>"
    assert k.ConstantAggregate(T.array(T.i8, 1), [one]).ref == "[i8 1]"
    assert k.ConstantAggregate(T.vector(T.i8, 1), [one]).ref == "<i8 1>"
    assert k.ConstantAggregate(T.struct(), []).ref == "{}"
    assert k.ConstantSplat(T.vector(T.i8, 4), one).ref == "splat (i8 1)"


def test_data_keeps_integers_signed_and_floats_as_bits() -> None:
    assert k.ConstantData(T.array(T.i16, 2), [65535, 1]).values == (-1, 1)
    assert k.ConstantData(T.array(T.float, 1), [0x3F800000]).ref == "[float 0x3FF0000000000000]"


def test_bytes_are_escaped() -> None:
    assert k.ConstantBytes(T.array(T.i8, 4), b'a"\\\0').ref == 'c"a\\22\\5C\\00"'


def test_expressions_are_spelt_with_their_flags() -> None:
    variable = GlobalVariable(T.ptr_default, T.i32, "x")
    offset = k.ConstantInt(T.i64, 4)
    gep = k.ConstantExpr(
        "getelementptr", T.ptr(), [variable, offset], ("inbounds", "nuw"), T.i8, (-4, 8)
    )
    assert gep.ref == "getelementptr inbounds nuw inrange(-4, 8) (i8, ptr @x, i64 4)"
    cast = k.ConstantExpr("ptrtoint", T.i64, [variable])
    assert cast.ref == "ptrtoint (ptr @x to i64)"
    total = k.ConstantExpr("add", T.i64, [cast, offset], ("nsw",))
    assert total.ref == "add nsw (i64 ptrtoint (ptr @x to i64), i64 4)"


def test_a_renamed_global_is_spelt_anew() -> None:
    function = Function(T.ptr_default, T.function(T.void), "f")
    wrapped = k.DSOLocalEquivalent(function)
    function.name = "odd name"
    assert wrapped.ref == 'dso_local_equivalent @"odd name"'
    assert k.NoCFI(function).ref == 'no_cfi @"odd name"'


@pytest.mark.parametrize(
    ("discriminators", "spelt"),
    [
        ((), "ptrauth (ptr @f, i32 2)"),
        ((0, None), "ptrauth (ptr @f, i32 2)"),
        ((7, None), "ptrauth (ptr @f, i32 2, i64 7)"),
    ],
)
def test_signed_pointers_drop_trailing_zeros(
    discriminators: tuple[int | None, ...], spelt: str
) -> None:
    function = Function(T.ptr_default, T.function(T.void), "f")
    tail: list[k.Constant] = [
        k.ConstantNull(T.ptr()) if item is None else k.ConstantInt(T.i64, item)
        for item in discriminators
    ]
    assert k.PtrAuth([function, k.ConstantInt(T.i32, 2), *tail]).ref == spelt
