"""Every operation of the table against plain Python."""

from __future__ import annotations

import ctypes
import math
import struct

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from irsan.engine.interp.code import (
    Code,
    Frame,
    Helper,
    Immediate,
    Label,
    Operation,
    Place,
    Register,
)
from irsan.engine.interp.opcodes import NUMBERS, OPCODES
from tests.engine.interp.conftest import Run
from tests.oracles.machine_twin import RESULTS, as_float

pytestmark = pytest.mark.xdist_group("interp machine")  # what needs `machine_text`
TARGET, LEFT, RIGHT, FOURTH = (Register(number) for number in range(4))
FRAME = Frame("f", (), 0, 12)
CONTROL = {"jmp", "jnz", "jz", "ijmp", "table", "search", "call", "request", "ret"}
MEMORY = {"fcopy", "fput", "ldn", "stn", "copy", "sel", "gep64", "gep32"}
FUSED = {"fmuladd32", "fmuladd64"}
WORDS = st.one_of(
    st.integers(0, (1 << 64) - 1), st.integers(0, 70), st.integers(0, (1 << 32) - 1),
    st.sampled_from([0, 1, 1 << 31, (1 << 31) - 1, 1 << 63, (1 << 63) - 1, (1 << 64) - 1]),
    st.floats(width=32).map(lambda x: int.from_bytes(_packed(x, "<f"), "little")),
    st.floats().map(lambda x: int.from_bytes(_packed(x, "<d"), "little")),
)  # fmt: skip


def _packed(number: float, form: str) -> bytes:
    return struct.pack(form, number)


def execute(machine: Run, code: Code, values: list[int]) -> list[int]:
    """The value slots after the code has run to its `ret`."""
    code.emit("ret")
    slots = (ctypes.c_uint64 * FRAME.n_slots)(0, *values)
    assert machine(slots, code.encode(FRAME)) == 0
    return list(slots)[1:]


def test_every_operation_is_covered() -> None:
    jumps = {opcode.name for opcode in OPCODES if "j" in opcode.layout}
    memory = {name for name in NUMBERS if name[:2] in ("ld", "st") or name[:3] in ("fld", "fst")}
    memory |= {f"{name}{bits}" for name in ("ldx", "stx") for bits in (8, 16, 32, 64)}
    assert set(NUMBERS) == set(RESULTS) | CONTROL | MEMORY | FUSED | jumps | memory


@pytest.mark.parametrize("name", [name for name in NUMBERS if name in RESULTS])
@settings(max_examples=30, deadline=None)
@given(x=WORDS, y=WORDS, number=st.integers(-(1 << 15), (1 << 15) - 1))
def test_results(machine: Run, name: str, x: int, y: int, number: int) -> None:
    x, y, number = _sensible(name, x, y, number)
    fields = {"ss": (), "sss": (RIGHT,), "ssk": (number,), "ssn": (number,)}
    code = Code()
    code.emit(name, TARGET, LEFT, *fields[OPCODES[NUMBERS[name]].layout])
    found = execute(machine, code, [7, x, y])[0]
    expected = RESULTS[name](x, y, number)
    if name[:4] in ("fadd", "fsub", "fmul", "fdiv") or name.endswith("_to_f32"):
        bits = 32 if name.endswith("32") else 64
        if math.isnan(as_float(expected, bits)):
            assert math.isnan(as_float(found, bits))
            return
    assert found == expected


def _sensible(name: str, x: int, y: int, number: int) -> tuple[int, int, int]:
    """Operands that the lowering gives: canonical, and no undefined behaviour."""
    bits = 32 if name.removesuffix("k").endswith("32") and name[0] != "f" else 64
    if name.startswith(("i32_", "islt32", "isle32")):
        bits = 32
    x, y = x & ((1 << bits) - 1), y & ((1 << bits) - 1)
    if name.startswith(("shl", "lshr", "ashr")):
        y, number = y % bits, number % bits
    if name.startswith(("sdiv", "udiv", "srem", "urem")):
        assume(y != 0 and not (x == 1 << (bits - 1) and y == (1 << bits) - 1))
    if name in ("trunc", "sext"):
        number = number % 64 + 1
    if name.startswith(("and", "or", "xor")) and name.endswith("32k"):
        number &= 0x7FFF
    if name.startswith(("f32_to_i", "f64_to_i")):
        source = as_float(x, int(name[1:3]))
        assume(not math.isnan(source) and abs(source) < 2.0**31 - 1)
    if name == "f32_to_f64":
        assume(not math.isnan(as_float(x, 32)))
    return x, y, number


@pytest.mark.parametrize("bits", [32, 64])
@settings(max_examples=60, deadline=None)
@given(x=WORDS, y=WORDS, z=WORDS)
def test_fmuladd_rounds_twice(machine: Run, bits: int, x: int, y: int, z: int) -> None:
    x, y, z = [number & ((1 << bits) - 1) for number in (x, y, z)]
    code = Code()
    code.emit(f"fmuladd{bits}", TARGET, LEFT, RIGHT, words=(FOURTH,))
    code.emit(f"fmul{bits}", Register(4), LEFT, RIGHT)
    code.emit(f"fadd{bits}", Register(4), Register(4), FOURTH)
    slots = execute(machine, code, [7, x, y, z, 0])
    apart = RESULTS[f"fadd{bits}"](RESULTS[f"fmul{bits}"](x, y, 0), z, 0)
    is_number = not math.isnan(as_float(apart, bits))
    assert math.isnan(as_float(slots[0], bits)) != is_number
    assert not is_number or slots[0] == slots[4] == apart


@pytest.mark.parametrize("name", [o.name for o in OPCODES if "j" in o.layout])
@settings(max_examples=40, deadline=None)
@given(x=WORDS, y=WORDS)
def test_jumps_decide_as_comparisons(machine: Run, name: str, x: int, y: int) -> None:
    x, y, _ = _sensible(f"i{name[1:]}", x, y, 0)
    code, target = Code(), Label()
    code.emit(name, LEFT, RIGHT, target)
    code.emit("mov", TARGET, FOURTH)
    code.place(target)
    found = execute(machine, code, [0, x, y, 1])[0]
    assert bool(found) == (not RESULTS[f"i{name[1:]}"](x, y, 0))


@settings(max_examples=80, deadline=None)
@given(cases=st.sets(st.integers(0, 40), max_size=8), value=st.integers(0, 45))
def test_switches(machine: Run, cases: set[int], value: int) -> None:
    ordered = sorted(cases)
    found = []
    for name in ("search", "table"):
        wanted = range(ordered[0], ordered[-1] + 1) if name == "table" and ordered else ordered
        code = Code()
        default, labels = Label(), {case: Label() for case in ordered}
        jumps = ((0, default), *((case, labels.get(case, default)) for case in wanted))
        code.append(Operation(name, (LEFT, len(wanted)), jumps=jumps))
        for case, label in (*labels.items(), (99, default)):
            code.place(label)
            code.emit("add64k", TARGET, FOURTH, case)
            code.emit("ret")
        found.append(execute(machine, code, [0, value, 0, 0])[0])
    assert found == [value if value in cases else 99] * 2


@settings(max_examples=30, deadline=None)
@given(raw=st.binary(min_size=40, max_size=40), offset=st.integers(0, 15), size=st.integers(0, 24))
def test_memory(machine: Run, raw: bytes, offset: int, size: int) -> None:
    buffer = ctypes.create_string_buffer(raw, len(raw))
    here = ctypes.addressof(buffer)
    code = Code()
    for index, bits in enumerate((8, 16, 32, 64)):
        code.emit(f"ld{bits}", Register(4 + index), LEFT, offset)
    code.emit("ldn", Register(8), LEFT, size)
    slots = execute(machine, code, [0, here, 0, 0, *[0] * 8])
    for index, n_bytes in enumerate((1, 2, 4, 8)):
        assert slots[4 + index] == int.from_bytes(raw[offset : offset + n_bytes], "little")
    copied = b"".join(word.to_bytes(8, "little") for word in slots[8:11])
    assert copied[:size] == raw[:size] and not any(copied[size:])


@settings(max_examples=30, deadline=None)
@given(value=WORDS, offset=st.integers(0, 15), bits=st.sampled_from([8, 16, 32, 64]))
def test_stores(machine: Run, value: int, offset: int, bits: int) -> None:
    buffer = ctypes.create_string_buffer(b"\x55" * 40, 40)
    code = Code()
    code.emit(f"st{bits}", LEFT, RIGHT, offset)
    code.emit("stn", LEFT, FOURTH, 5)
    there = ctypes.addressof(buffer)
    execute(machine, code, [0, value, there, there + 30])
    cut = (value & ((1 << bits) - 1)).to_bytes(bits // 8, "little")
    expected = bytearray(b"\x55" * 40)
    expected[offset : offset + bits // 8] = cut
    expected[30:35] = value.to_bytes(8, "little")[:5]
    assert buffer.raw == bytes(expected)


@settings(max_examples=40, deadline=None)
@given(value=WORDS, offset=st.integers(0, 15), bits=st.sampled_from([8, 16, 32, 64]))
def test_members_of_aggregates(machine: Run, value: int, offset: int, bits: int) -> None:
    code = Code()
    code.emit(f"fst{bits}", LEFT, Place(Register(4), offset))
    code.emit(f"fld{bits}", TARGET, Place(Register(4), offset))
    code.emit("fcopy", Register(8), Place(Register(4), offset), words=(3,))
    code.emit("fput", Register(8), Place(Register(9), 2), words=(3,))
    slots = execute(machine, code, [0, value, *[0] * 10])
    assert slots[0] == value & ((1 << bits) - 1)
    moved = (slots[0] & 0xFFFFFF) if bits != 16 else slots[0]
    assert slots[8] & 0xFFFFFF == moved & 0xFFFFFF
    assert slots[9] >> 16 & 0xFFFFFF == moved & 0xFFFFFF


@settings(max_examples=30, deadline=None)
@given(base=st.integers(0, 1 << 40), index=WORDS, step=st.integers(-99, 99), add=st.integers(-9, 9))
def test_addresses(machine: Run, base: int, index: int, step: int, add: int) -> None:
    code = Code()
    code.emit("gep64", Register(4), LEFT, RIGHT, words=(step, add))
    code.emit("gep32", Register(5), LEFT, RIGHT, words=(step, add))
    slots = execute(machine, code, [0, base, index, 0, 0, 0])
    narrow = (index & 0xFFFFFFFF) - ((index & 0x80000000) << 1)
    assert slots[4] == (base + index * step + add) % (1 << 64)
    assert slots[5] == (base + narrow * step + add) % (1 << 64)


@settings(max_examples=30, deadline=None)
@given(
    raw=st.binary(min_size=64, max_size=64), value=WORDS, bits=st.sampled_from([8, 16, 32, 64]),
    index=st.integers(-3, 3), step=st.integers(0, 8), constant=st.integers(24, 32),
)  # fmt: skip
def test_indexed_accesses(
    machine: Run, raw: bytes, value: int, bits: int, index: int, step: int, constant: int
) -> None:
    buffer, n_bytes = ctypes.create_string_buffer(raw, len(raw)), bits // 8
    code, words = Code(), (step, constant)
    code.emit(f"ldx{bits}", TARGET, LEFT, RIGHT, words=words)
    code.emit(f"stx{bits}", FOURTH, LEFT, RIGHT, words=words)
    here = ctypes.addressof(buffer)
    slots = execute(machine, code, [0, here, index & 0xFFFFFFFFFFFFFFFF, value, *[0] * 8])
    at = index * step + constant
    assert slots[0] == int.from_bytes(raw[at : at + n_bytes], "little")
    written = (value & ((1 << bits) - 1)).to_bytes(n_bytes, "little")
    assert buffer.raw == raw[:at] + written + raw[at + n_bytes :]


def test_selection_and_copies(machine: Run) -> None:
    code = Code()
    code.emit("sel", LEFT, RIGHT, FOURTH, words=(TARGET,))
    code.emit("sel", TARGET, RIGHT, FOURTH, words=(Register(4),))
    code.emit("copy", Register(5), LEFT, 3)
    slots = execute(machine, code, [0, 0, 20, 30, 0, 0, 0, 0])
    assert slots[0] == 30
    assert slots[4] == 20
    assert slots[5:8] == [0, 20, 30]


def test_a_helper_is_entered_with_the_frame_and_its_word(machine: Run) -> None:
    seen = []

    @ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p, ctypes.c_void_p)
    def helper(frame: int, pc: int) -> int:
        operands = (ctypes.c_int32 * 2).from_address(pc + 8)
        seen.append((frame, *operands))
        return 41  # as a request of a function that it would have gone on with

    pool = (ctypes.c_uint64 * 1)(ctypes.cast(helper, ctypes.c_void_p).value or 0)
    code = Code()
    code.emit("add64k", TARGET, TARGET, 1)
    code.append(Operation("call", (Helper(0),), operands=(Immediate(-5), RIGHT)))
    code.emit("add64k", TARGET, TARGET, 10)
    slots = (ctypes.c_uint64 * FRAME.n_slots)(ctypes.addressof(pool))
    assert machine(slots, code.encode(FRAME)) == 41
    assert slots[1] == 1
    assert seen == [(ctypes.addressof(slots), -5, 8 * FRAME.slot(RIGHT))]


def test_requests_leave_with_their_number(machine: Run) -> None:
    code = Code()
    code.emit("request", 41)
    slots = (ctypes.c_uint64 * FRAME.n_slots)()
    assert machine(slots, code.encode(FRAME)) == 41
