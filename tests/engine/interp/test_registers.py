"""Registers: who shares a slot with whom, constants, what dead pointers leave behind."""

from __future__ import annotations

from irsan.engine.interp.code import Frame
from irsan.engine.interp.registers import Registers, find_last_uses
from irsan.ir.constants import ConstantInt, Poison
from irsan.ir.datalayout import DataLayout
from irsan.ir.reading import parse_ir_text
from irsan.ir.values import Function

X86 = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"


def _function(body: str, head: str = "define i64 @f(i64 %a, ptr %p)") -> Function:
    return parse_ir_text(f"{head} {{\n{body}\n}}\n").functions[0]


def _named(function: Function) -> dict[str, object]:
    return {op.name: op for block in function.blocks for op in block.instructions if op.name}


def _registers(function: Function) -> Registers:
    return Registers(DataLayout.of(X86), find_last_uses(function))


def test_a_slot_is_given_back_behind_the_last_use() -> None:
    function = _function("""
  %x = add i64 %a, 1
  %y = mul i64 %x, %x
  %z = add i64 %y, %y
  ret i64 %z""")
    registers, found = _registers(function), _named(function)
    places = []
    for op in function.entry.instructions[:3]:
        places.append(registers.of(op).index)
        registers.end(op)
    assert places[0] != places[1] != places[2]
    assert places[2] == places[0]
    assert registers.n_values == 2
    assert found["x"] is function.entry.instructions[0]


def test_what_another_block_reads_keeps_its_slot() -> None:
    function = _function("""
entry:
  %x = add i64 %a, 1
  %t = add i64 %a, 2
  br label %next
next:
  ret i64 %x""")
    last = find_last_uses(function)
    names = {value.name for value in last}  # type: ignore[attr-defined]
    assert "t" in names
    assert "x" not in names and "a" not in names


def test_numbers_share_a_constant_whatever_their_type() -> None:
    registers = _registers(_function("ret i64 0"))
    types = parse_ir_text("").types
    narrow = registers.of(ConstantInt(types.integer(8), -1))
    assert registers.of(ConstantInt(types.integer(32), 255)) == narrow
    assert registers.of(Poison(types.integer(16))) == registers.number(0)
    wide = registers.of(ConstantInt(types.integer(128), 255))
    assert wide not in (narrow, registers.number(0))
    frame = registers.frame("f")
    assert [one.n_slots for one in registers.constants] == [1, 1, 2]
    assert frame.n_constants == 4
    assert frame.slot(wide) == 3


def test_dead_pointers_are_known_until_their_slot_is_taken() -> None:
    function = _function("""
  %q = getelementptr i8, ptr %p, i64 %a
  %x = load i64, ptr %q
  %y = add i64 %x, 1
  ret i64 %y""")
    registers = _registers(function)
    pointer, load, total, _ = function.entry.instructions
    place = registers.of(pointer)
    registers.end(pointer)
    assert not registers.stale
    registers.of(load)
    registers.end(load)
    assert registers.stale == {place.index}
    assert registers.of(total) == place
    assert not registers.stale


def test_slots_begin_behind_the_pool_and_the_constants() -> None:
    frame = Frame("f", (0, 2), 3, 4)
    registers = _registers(_function("ret i64 0"))
    first, value = registers.number(7), registers.permanent()
    assert frame.slot(first) == 1
    assert frame.slot(value) == 4
    assert frame.offset_bytes(value) == 32
    assert frame.n_slots == 8
