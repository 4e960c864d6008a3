"""Undefined behaviour that IR itself shows: for input that no front end has put checks into.

    %sum = add nsw i32 %a, %b        %pair = call {i32, i1} @llvm.sadd.with.overflow.i32(%a, %b)
                                     br i1 %fails, label %told, label %goes.on     ; seldom
                              told:  call void @__ubsan_handle_add_overflow(%record, %a, %b)
                          goes.on:   %sum = add i32 %a, %b

Rules are in undefined_arithmetic.py and undefined_accesses.py. What makes poison is reported only
where the poison is surely used (undefined_uses.py), and wraps afterwards: with nsw left on, LLVM
could take for granted that the report is never reached.

Runs before all other passes, so that addresses are looked at before they are used. Functions that
may not be touched stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from irsan.instrument.check_names import UBSAN_HANDLERS
from irsan.instrument.policy import is_touched
from irsan.instrument.undefined.undefined_accesses import access_rules, unreachable_rule
from irsan.instrument.undefined.undefined_arithmetic import UndefinedRule, arithmetic_rules
from irsan.instrument.undefined.undefined_records import UndefinedRecords
from irsan.instrument.undefined.undefined_uses import is_surely_used
from irsan.ir.builder import Builder
from irsan.ir.constants import ConstantInt
from irsan.ir.control import Ret
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Alloca
from irsan.ir.metadata import MetadataString, MetadataTuple, ValueAsMetadata
from irsan.ir.module import Module
from irsan.ir.operations import BinaryOp, ExtractElement
from irsan.ir.types import IntegerType, PointerType, PrimitiveType, Type, VectorType
from irsan.ir.values import BasicBlock, Function, Value

_FATAL = "builtin_unreachable"
_WITH_OTHER_PLACE = "nonnull_return_v1"
_SELDOM = (1, 100_000)
_WORD_BITS = 64
_WIDE_ALIGNMENT = 16  # bytes
_WRAP_FLAGS = frozenset(("nsw", "nuw"))


@dataclass(frozen=True, slots=True)
class UndefinedChecks:
    """Puts the checks into every function of a module."""

    def apply(self, module: Module) -> None:
        """Insert checks; a module that calls handlers already is left alone."""
        symbols = (*module.functions, *module.aliases)
        if any(symbol.name.startswith(UBSAN_HANDLERS) for symbol in symbols):
            return
        inserter = _Inserter(module)
        for function in module.functions[:]:
            if is_touched(function):
                _gather_allocas(function.entry)
                for block in function.blocks[:]:
                    inserter.check_block(function, block)
                inserter.add_variables(function)


class _Inserter:
    """Puts checks into blocks of one module."""

    __slots__ = ("_module", "_records", "_variables")

    def __init__(self, module: Module) -> None:
        self._module, self._records = module, UndefinedRecords(module)
        self._variables: dict[tuple[Type, int], Alloca] = {}

    def add_variables(self, function: Function) -> None:
        """Behind the last block: what handlers read wide values from."""
        function.entry.instructions[0:0] = self._variables.values()
        self._variables.clear()

    def check_block(self, function: Function, block: BasicBlock) -> None:
        """Insert the checks of a block, the last ones first: instructions in front keep their
        numbers.
        """
        found = list(self._found(function, block.instructions))
        for index, instruction, rule in reversed(found):
            self._insert(function, block, index + rule.is_behind, instruction, rule)
        for instruction in {id(each): each for _, each, _ in found}.values():
            if isinstance(instruction, BinaryOp):
                instruction.flags = tuple(f for f in instruction.flags if f not in _WRAP_FLAGS)

    def _found(
        self, function: Function, instructions: list[Instruction]
    ) -> Iterator[tuple[int, Instruction, UndefinedRule]]:
        for index, instruction in enumerate(instructions):
            if instruction.get_metadata("nosanitize") is not None:
                continue
            rules = chain(
                arithmetic_rules(self._records, function, instruction),
                access_rules(self._records, function, instruction),
            )
            if isinstance(instruction, Ret) and _is_musttail(instructions, index - 1):
                continue
            for rule in rules:
                if not rule.is_poison or is_surely_used(function, instructions, index):
                    yield index, instruction, rule
        before = instructions[-2] if len(instructions) > 1 else None
        at_end = unreachable_rule(before, instructions[-1])
        if at_end is not None:
            yield len(instructions) - 1, instructions[-1], at_end

    def _insert(
        self,
        function: Function,
        block: BasicBlock,
        index: int,
        instruction: Instruction,
        rule: UndefinedRule,
    ) -> None:
        types, location = self._module.types, instruction.debug_location
        if rule.handler == _FATAL:
            at = Builder(self._module, [], location)
            self._call(at, function, instruction, rule)
            block.instructions[index:index] = at.instructions
            return
        behind = function.split_block(block, index)
        told = function.new_block(types.label)
        at = Builder(self._module, block.instructions, location)
        fails, failed = rule.fails(at), None
        if isinstance(fails.type, VectorType):
            failed = at.cast("bitcast", fails, types.integer(fails.type.count))
            fails = at.icmp("ne", failed, at.integer(fails.type.count, 0))
        branch = at.cond_br(fails, told, behind)
        weights = [ValueAsMetadata(ConstantInt(types.i32, weight)) for weight in _SELDOM]
        branch.set_metadata("prof", MetadataTuple([MetadataString("branch_weights"), *weights]))
        at = Builder(self._module, told.instructions, location)
        self._call(at, function, instruction, rule, failed)
        at.br(behind)

    def _call(
        self, at: Builder, function: Function, instruction: Instruction, rule: UndefinedRule,
        failed: Value | None = None,
    ) -> None:  # fmt: skip
        """`failed`: a bit for each element of the values that fails; the first one is reported."""
        types, records = self._module.types, self._records
        values = rule.values if failed is None else _first(at, rule.values, failed)
        words = [self._word(at, value, number) for number, value in enumerate(values)]
        if rule.handler == _WITH_OTHER_PLACE:
            words.append(records.new_place(function, instruction))
            place = None
        else:
            place = instruction
        record = records.record(function, place, rule.fields)
        signature = types.function(types.void, [types.ptr_default, *(w.type for w in words)])
        handler = self._module.declare_function(f"{UBSAN_HANDLERS}{rule.handler}", signature)
        at.call(handler, [record, *words])


    def _word(self, at: Builder, value: Value, number: int) -> Value:
        """A value as handlers take it: integers zero-extended, floats as their bits; where it lies
        when it is wider."""
        kind, types = value.type, at.types
        if isinstance(kind, PointerType):
            return at.cast("ptrtoint", value, types.i64)
        if isinstance(kind, PrimitiveType):
            value = at.cast("bitcast", value, types.integer(kind.float_bits))
            kind = value.type
        assert isinstance(kind, IntegerType)
        if kind.width < _WORD_BITS:
            return at.cast("zext", value, types.i64)
        return value if kind.width == _WORD_BITS else self._wide_word(at, value, kind, number)

    def _wide_word(self, at: Builder, value: Value, kind: IntegerType, number: int) -> Value:
        whole = at.types.integer(1 << (kind.width - 1).bit_length())
        if whole is not kind:
            value = at.cast("zext", value, whole)
        where = self._variables.get((whole, number))
        if where is None:
            where = Alloca(at.types.ptr_default, whole, at.integer(32, 1), _WIDE_ALIGNMENT)
            self._variables[whole, number] = where
        at.store(value, where, _WIDE_ALIGNMENT)
        return at.cast("ptrtoint", where, at.types.i64)


def _is_musttail(instructions: list[Instruction], index: int) -> bool:
    """Whether the call in front of a return must stay there."""
    return index >= 0 and getattr(instructions[index], "tail", "") == "musttail"


def _gather_allocas(entry: BasicBlock) -> None:
    """Variables first: behind a split they would be allocated anew each time."""
    entry.instructions.sort(key=lambda each: not _is_static(each))


def _is_static(instruction: Instruction) -> bool:
    return isinstance(instruction, Alloca) and isinstance(instruction.count, ConstantInt)


def _first(at: Builder, values: tuple[Value, ...], failed: Value) -> list[Value]:
    """The elements at the lowest set bit of `failed`."""
    types, kind = at.types, failed.type
    signature = types.function(kind, [kind, types.i1])
    count = at.module.declare_function(f"llvm.cttz.{kind.text}", signature)
    index = at.call(count, [failed, at.integer(1, 1)])
    found: list[Value] = []
    for value in values:
        element = ExtractElement(value, index)
        element.debug_location = at.debug_location
        at.instructions.append(element)
        found.append(element)
    return found
