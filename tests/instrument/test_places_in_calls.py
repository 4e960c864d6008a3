"""Places of arguments are where LLVM puts them: calls are compiled and made, callees look.

call void (...) @callee(arguments of recognisable bytes)
callee          va_start, copies what the list leads to: the register area; and the stack from
                its own return address on, where the named arguments are too
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import llvmlite.binding as llvm
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from irsan.instrument.analysis.calls.argument_places import (
    INTEGER_BYTES,
    REGISTER_BYTES,
    ArgumentPlace,
    argument_places,
    is_like_c,
)
from irsan.instrument.analysis.calls.vector_registers import possible_vector_bytes
from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.ir.attributes import string_attribute
from irsan.ir.calls import Call
from irsan.ir.module import Module
from irsan.ir.reading import parse_ir_text
from tests.support.shadow_runs import LAYOUT

SLOT, STACK_BYTES = 512, 8192
FEATURES = ("", "+avx", "+avx512f")
CPU_FLAGS = {"": "sse2", "+avx": "avx", "+avx512f": "avx512f"}
CONVENTIONS = ("", "preserve_mostcc", "preserve_allcc", "x86_64_sysvcc", "swiftcc")
WIDTHS = (8, 16, 24, 32, 33, 64, 65, 96, 127, 128, 129, 192, 256)
LANES = ("i8", "i16", "i32", "i64", "ptr", "half", "bfloat", "float", "double")
COPIED = ("[5 x i8]", "[40 x i8]", "{ i64, i128 }", "{ i8, <8 x float> }", "{ ptr, i32 }")
SCALARS = st.sampled_from(["ptr", "double", "float", "half", "x86_fp80", "fp128"])
ARGUMENTS = st.one_of(
    SCALARS,
    st.sampled_from(["ptr", "i64", "double", "i128"]),
    st.sampled_from(WIDTHS).map(lambda width: f"i{width}"),
    st.builds("<{} x {}>".format, st.integers(1, 24), st.sampled_from(LANES)),
    st.builds("<{} x {}>".format, st.sampled_from([2, 4, 8, 16, 32, 64]), st.sampled_from(LANES)),
    st.builds(
        "ptr byval({}){}".format, st.sampled_from(COPIED),
        st.sampled_from(["", " align 1", " align 8", " align 16", " align 32", " align 64"]),
    ),
)  # fmt: skip


class Seen(NamedTuple):
    """What a callee has found: bytes, and where its list begins on the stack."""

    registers: bytes
    stack: bytes
    named_bytes: int
    values: list[bytes]


def text_of(kinds: Sequence[str], n_named: int, features: str, convention: str) -> str:
    named = [f"{kind} %n{index}" for index, kind in enumerate(kinds[:n_named])]
    signature = ", ".join([*[kind.split(" byval")[0] for kind in kinds[:n_named]], "..."])
    loads, arguments = [], []
    for index, kind in enumerate(kinds):
        loads.append(f"  %p{index} = getelementptr i8, ptr %in, i64 {SLOT * index}")
        if "byval" not in kind:
            loads.append(f"  %v{index} = load {kind}, ptr %p{index}, align 16")
        arguments.append(f"{kind} %{'p' if 'byval' in kind else 'v'}{index}")
    group = f'"target-features"="{features}"' if features else ""
    joined = "\n".join(loads)
    return f"""{LAYOUT}
declare void @llvm.va_start.p0(ptr)
declare ptr @llvm.addressofreturnaddress.p0()
declare void @llvm.memcpy.inline.p0.p0.i64(ptr, ptr, i64, i1)
@out = global [{REGISTER_BYTES + STACK_BYTES} x i8] zeroinitializer, align 64
@begins = global i64 0
define {convention} void @callee({", ".join([*named, "..."])}) noinline {group} {{
  %list = alloca [24 x i8], align 16
  call void @llvm.va_start.p0(ptr %list)
  %overflow.at = getelementptr i8, ptr %list, i64 8
  %overflow = load i64, ptr %overflow.at
  %saved.at = getelementptr i8, ptr %list, i64 16
  %saved = load ptr, ptr %saved.at
  %return = call ptr @llvm.addressofreturnaddress.p0()
  %stack = getelementptr i8, ptr %return, i64 8
  %base = ptrtoint ptr %stack to i64
  %named = sub i64 %overflow, %base
  store i64 %named, ptr @begins
  call void @llvm.memcpy.inline.p0.p0.i64(ptr @out, ptr %saved, i64 {REGISTER_BYTES}, i1 0)
  %rest = getelementptr i8, ptr @out, i64 {REGISTER_BYTES}
  call void @llvm.memcpy.inline.p0.p0.i64(ptr %rest, ptr %stack, i64 {STACK_BYTES}, i1 true)
  ret void
}}
define void @f(ptr %in) {group} {{
  %room = alloca [{STACK_BYTES} x i8], align 64
  call void asm sideeffect "", "r"(ptr %room)
{joined}
  call {convention} void ({signature}) @callee({", ".join(arguments)})
  ret void
}}
"""


def seen_by_callee(text: str, n_arguments: int) -> Seen:
    """Compile, fill the arguments with random bytes, call."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True, opt=1)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(text), machine)
    engine.finalize_object()
    given_bytes = random.Random(7).randbytes(SLOT * n_arguments)
    room = ctypes.create_string_buffer(len(given_bytes) + 64)
    start = -(-ctypes.addressof(room) // 64) * 64
    ctypes.memmove(start, given_bytes, len(given_bytes))
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(engine.get_function_address("f"))(start)
    out = ctypes.string_at(engine.get_global_value_address("out"), REGISTER_BYTES + STACK_BYTES)
    begins = ctypes.c_uint64.from_address(engine.get_global_value_address("begins")).value
    values = [given_bytes[at : at + SLOT] for at in range(0, len(given_bytes), SLOT)]
    return Seen(out[:REGISTER_BYTES], out[REGISTER_BYTES:], begins, values)


def call_in(module: Module) -> Call:
    (function,) = [one for one in module.functions if one.name == "f"]
    *_, call, _ = function.blocks[0].instructions
    assert isinstance(call, Call)
    return call


def compare(seen: Seen, place: ArgumentPlace, n_named: int, n_whole: int) -> None:
    """n_whole: bytes of the argument that hold nothing but its bits."""
    value = seen.values[place.number]
    for part in place.parts:
        wanted = value[part.first : min(part.first + part.n_bytes, n_whole)]
        if part.is_on_stack:
            assert seen.stack[part.offset :][: len(wanted)] == wanted, place
        elif place.number >= n_named:
            assert seen.registers[part.offset :][: len(wanted)] == wanted, place


def whole_bytes(kind: str, module: Module, call: Call, number: int) -> int:
    if kind.startswith("i"):
        return int(kind[1:]) // 8
    return TypeSizes(module).store_size(call.arguments[number].type)


@pytest.mark.parametrize("features", FEATURES)
@settings(deadline=None, max_examples=25)
@given(st.lists(ARGUMENTS, min_size=1, max_size=14), st.integers(0, 14),
       st.sampled_from(CONVENTIONS))  # fmt: skip
@example(["i64"] * 5 + ["i128", "i64"], 1, "")
@example(["i64"] * 5 + ["i96", "i64"], 1, "")
@example(["double"] * 7 + ["<8 x float>", "<2 x float>", "double"], 0, "")
@example(["<9 x half>", "<1 x half>", "<1 x float>", "ptr"], 0, "")
@example(["<3 x i8>", "<3 x half>", "<6 x half>", "i64"], 0, "")
@example(["<8 x float>", "<16 x float>", "x86_fp80", "i128", "<3 x i64>"], 2, "")
def test_arguments_are_where_llvm_puts_them(
    features: str, kinds: list[str], n_named: int, convention: str
) -> None:
    if CPU_FLAGS[features] not in Path("/proc/cpuinfo").read_text().split():
        pytest.skip(f"the processor has no {CPU_FLAGS[features]}")
    n_named = min(n_named, len(kinds) - 1)
    text = text_of(kinds, n_named, features, convention)
    module = parse_ir_text(text)
    call = call_in(module)
    assert is_like_c(call.calling_convention)
    widths = possible_vector_bytes((string_attribute("target-features", features),))
    types = [one.type for one in call.arguments]
    places = list(argument_places(types, call.attributes, TypeSizes(module), widths))
    assert len(places) == len(kinds)
    seen = seen_by_callee(text, len(kinds))
    assert seen.named_bytes == (places[n_named - 1].stack_bytes if n_named else 0)
    for place in places:
        n_whole = place.copied_bytes or whole_bytes(kinds[place.number], module, call, place.number)
        compare(seen, place, n_named, n_whole)


def test_areas() -> None:
    assert (INTEGER_BYTES, REGISTER_BYTES) == (48, 176)
