"""What `llvm.objectsize` gives, found while objects are as large as the program made them.

    %n = call i64 @llvm.objectsize.i64.p0(ptr %a, i1 false, i1 true, i1 true)    %a = alloca i8, %m
    ->  %n is %m

LLVM's code generator answers it otherwise, when redzones have been put around variables, or when
a helper of the interpreter sees no more than a pointer: the program would print what it does not
print natively. Like there, variables, globals, byval arguments and results of functions with
`allocsize` are known, choices among them too; the rest is "unknown": all ones, or 0 where a minimum
is asked for. A variable size or offset counts only where the call allows arithmetic (`dynamic`).

Source: LLVM's Analysis/MemoryBuiltins.cpp, `lowerObjectSizeCall`, `ObjectSizeOffsetVisitor` and
`ObjectSizeOffsetEvaluator`. Deviation: an offset that is no constant is the difference of two
addresses, not the sum of the steps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from irsan.instrument.analysis.objects.addresses import AddressFacts
from irsan.instrument.analysis.objects.stack_variables import byval_sizes
from irsan.instrument.analysis.values.integer_casts import to_width
from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.ir.builder import Builder
from irsan.ir.calls import Call, CallTerminator
from irsan.ir.constants import ConstantInt, ConstantNull
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Alloca
from irsan.ir.module import Module
from irsan.ir.operations import Select
from irsan.ir.phi import Phi
from irsan.ir.rewriting import instructions_of, replace_all_uses
from irsan.ir.types import IntegerType
from irsan.ir.values import BasicBlock, Function, Value

_NAME = "llvm.objectsize."
_NO_COUNT = 0xFFFFFFFF
_SOME = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class ObjectSizes:
    """Answers every `llvm.objectsize` of a module."""

    def apply(self, module: Module) -> None:
        """Replace the calls by numbers and arithmetic."""
        if not any(function.name.startswith(_NAME) for function in module.functions):
            return
        sizes = TypeSizes(module)
        for function in module.functions:
            if any(_asks(op) for op in instructions_of(function)):
                _Answers(module, function, sizes).place()


def _asks(op: Instruction) -> bool:
    callee = op.operands[0] if isinstance(op, Call) else None
    return isinstance(callee, Function) and callee.name.startswith(_NAME)


class _Object(NamedTuple):
    """Where an object begins, and its bytes as an i64."""

    lo: Value
    length: Value


class _Answers:
    """The answers in one function."""

    def __init__(self, module: Module, function: Function, sizes: TypeSizes) -> None:
        self._module, self._function, self._sizes = module, function, sizes
        self._facts = AddressFacts(sizes, byval_sizes(function, sizes))
        self._phis: dict[Phi, _Object] = {}
        self._at_ends: dict[BasicBlock, list[Instruction]] = {}

    def place(self) -> None:
        """Put the answers where the questions are."""
        answers: dict[Value, Value] = {}
        for block in self._function.blocks:
            made: list[Instruction] = []
            for op in block.instructions:
                if _asks(op):
                    at = Builder(self._module, made, op.debug_location)
                    answers[op] = self._answer(op, at)
                else:
                    made.append(op)
            block.instructions = made
        for block, added in self._at_ends.items():
            block.instructions[-1:-1] = added
        for phi, found in self._phis.items():
            home = next(one for one in self._function.blocks if phi in one.instructions)
            home.instructions[0:0] = [p for p in found if isinstance(p, Phi)]
        replace_all_uses(self._function, answers)

    def _answer(self, op: Instruction, at: Builder) -> Value:
        _, pointer, *choices = op.operands
        is_minimum, null_is_unknown, is_dynamic = (
            isinstance(one, ConstantInt) and bool(one.unsigned) for one in choices
        )
        assert isinstance(op.type, IntegerType)
        if isinstance(pointer, ConstantNull) and not null_is_unknown:
            return ConstantInt(op.type, 0)
        if is_dynamic and self._is_known(pointer, set()):
            return self._room(pointer, op.type, at)
        room = None if is_dynamic else self._least_or_most(pointer, min if is_minimum else max)
        if room is None:
            room = 0 if is_minimum else _SOME
        return ConstantInt(op.type, room & ((1 << op.type.width) - 1))

    # ---------------------------------------------------------------- numbers

    def _least_or_most(
        self, pointer: Value, choose: Callable[[list[int]], int], depth: int = 0
    ) -> int | None:
        """Bytes from `pointer` to the end of its object, among choices as asked; None: unknown."""
        root, offset = self._facts.locate(pointer)
        if isinstance(root, (Phi, Select)) and depth < 8 and not offset:
            ways = root.operands if isinstance(root, Phi) else root.operands[1:]
            found = [self._least_or_most(way, choose, depth + 1) for way in ways]
            known = [room for room in found if room is not None]
            return choose(known) if len(known) == len(ways) else None
        size = self._constant_size(root)
        return None if size is None else _room_behind(size, offset)

    def _constant_size(self, root: Value) -> int | None:
        counts = self._counts(root)
        if counts is None:
            return self._facts.object_size(root)
        size = 1
        for count in counts:
            if not isinstance(count, ConstantInt):
                return None
            size *= count.unsigned
        return size

    def _counts(self, root: Value) -> list[Value] | None:
        """The arguments whose product is the size of what a call returns; None: no such call."""
        if not isinstance(root, (Call, CallTerminator)):
            return None
        callee = root.operands[0]
        own = callee.attributes.function if isinstance(callee, Function) else ()
        for one in (*root.attributes.function, *own):
            if one.kind == "allocsize" and isinstance(one.value, int):
                places = one.value >> 32, one.value & _NO_COUNT
                return [root.arguments[place] for place in places if place != _NO_COUNT]
        return None

    # ---------------------------------------------------------------- arithmetic

    def _is_known(self, pointer: Value, seen: set[Value]) -> bool:
        """Whether every object that `pointer` may point into has a size."""
        root = self._facts.object_of(pointer)
        if root in seen:
            return True
        seen.add(root)
        if isinstance(root, (Phi, Select)):
            ways = root.operands if isinstance(root, Phi) else root.operands[1:]
            return all(self._is_known(way, seen) for way in ways)
        if isinstance(root, Alloca):
            return self._sizes.alloc_size(root.allocated_type) is not None
        return self._counts(root) is not None or self._facts.object_size(root) is not None

    def _room(self, pointer: Value, result: IntegerType, at: Builder) -> Value:
        root, offset = self._facts.locate(pointer)
        size = self._constant_size(root)
        if size is not None:
            return ConstantInt(result, _room_behind(size, offset))
        found = self._object(root, at)
        # Not `sub`, which would be a difference of pointers that the program has made.
        minus_lo = at.binary("sub", at.integer(64, 0), _number(found.lo, at))
        passed = at.binary("add", _number(pointer, at), minus_lo)
        rest = at.binary("sub", found.length, passed)
        is_inside = at.icmp("ule", passed, found.length)
        return to_width(at, at.select(is_inside, rest, at.integer(64, 0)), result.width)

    def _object(self, pointer: Value, at: Builder) -> _Object:
        root = self._facts.object_of(pointer)
        if isinstance(root, Phi):
            return self._of_phi(root, at)
        if isinstance(root, Select):
            ways = [self._object(way, at) for way in root.operands[1:]]
            lo, length = (
                at.select(root.operands[0], *parts) for parts in zip(*ways, strict=True)
            )
            return _Object(lo, length)
        return _Object(root, self._length(root, at))

    def _length(self, root: Value, at: Builder) -> Value:
        counts = self._counts(root)
        if isinstance(root, Alloca):
            each = self._sizes.alloc_size(root.allocated_type)
            assert each is not None
            counts = [root.count, at.integer(64, each)]
        if counts is None:
            return at.integer(64, self._facts.object_size(root) or 0)
        length: Value = at.integer(64, 1)
        for count in counts:
            length = at.binary("mul", length, to_width(at, count, 64))
        return length

    def _of_phi(self, root: Phi, at: Builder) -> _Object:
        if root not in self._phis:
            types = at.types
            lo, length = (Phi(kind, [], list(root.blocks)) for kind in (root.type, types.i64))
            self._phis[root] = _Object(lo, length)  # before its ways, among which it may be
            by_block: dict[BasicBlock, _Object] = {}  # a switch may come by several ways
            for way, block in root.incoming:
                if block not in by_block:
                    end = Builder(self._module, self._at_ends.setdefault(block, []))
                    by_block[block] = self._object(way, end)
                lo.operands.append(by_block[block].lo)
                length.operands.append(by_block[block].length)
        return self._phis[root]


def _room_behind(size: int, offset: int) -> int:
    return size - offset if 0 <= offset <= size else 0


def _number(pointer: Value, at: Builder) -> Value:
    return at.cast("ptrtoint", pointer, at.types.i64)
