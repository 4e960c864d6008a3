"""Shadow that is zero in each turn of a loop, if what is asked ahead is, and what begins so is.

    loop:  %sum = phi [%first, ...], [%more, %latch]       begins: %sum, each time a strip begins
           %s = load (shadow of a[i])                      asked ahead
           %more = or %sum, %s                             clear, then
           store %more, (shadow of b[i])                   so it stores zero

    clear = ClearValues(loop, asked)
    clear.holds(%more)      whether it is, for any number of turns
    clear.begins            phis of the header and values from outside that have to be zero before

A value is taken to be zero until that is disproved (a phi of the header by what the latch gives
it), so what `holds` says of several values is true of all of them together.  Once it has said no
of one, nothing that it said counts any more.

Source: the greatest fixpoint that Wegman and Zadeck's constant propagation computes (TOPLAS 1991),
for one constant.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from irsan.instrument.analysis.control_flow.natural_loops import Loop
from irsan.ir.constants import is_zero
from irsan.ir.instruction import Instruction
from irsan.ir.operations import Compare
from irsan.ir.phi import Phi
from irsan.ir.types import IntegerType, VectorType
from irsan.ir.values import Constant, Value

_OF_ALL: Final = frozenset(("or", "xor", "add", "sub"))
_OF_ANY: Final = frozenset(("and", "mul"))
_OF_FIRST: Final = frozenset(
    ("shl", "lshr", "ashr", "zext", "sext", "trunc", "bitcast", "freeze", "extractelement",
     "extractvalue")
)  # fmt: skip
_OF_FIRST_TWO: Final = frozenset(("insertelement", "shufflevector", "insertvalue"))
_BEYOND_ZERO: Final = frozenset(("ne", "slt", "sgt", "ugt"))


class ClearValues:
    """Answers about the values of one loop."""

    __slots__ = ("_asked", "_inside", "_latch", "_phis", "_zero", "begins")

    def __init__(self, loop: Loop, asked: Collection[Value]) -> None:
        self._inside = {one for block in loop.blocks for one in block.instructions}
        self._phis, self._latch = set(loop.header.phis()), loop.latch
        self._asked = asked
        self._zero: set[Value] = set()
        self.begins: dict[Value, None] = {}

    def holds(self, value: Value) -> bool:
        """Whether a value is zero in all turns."""
        if isinstance(value, Constant):
            return is_zero(value)
        if value in self._zero or value in self._asked:
            return True
        self._zero.add(value)
        if value not in self._inside:
            return self._may_begin(value)
        if isinstance(value, Phi) and value in self._phis:
            return self._may_begin(value) and all(
                self.holds(one) for one, block in value.incoming if block is self._latch
            )
        return isinstance(value, Instruction) and self._follows(value)

    def _may_begin(self, value: Value) -> bool:
        """Whether it can be seen in front of the loop that a value, of shadow, is zero."""
        is_shadow = isinstance(value, Phi) or (
            isinstance(value, Instruction) and value.get_metadata("nosanitize") is not None
        )
        if not is_shadow or not isinstance(value.type, (IntegerType, VectorType)):
            return False
        if isinstance(value.type, VectorType) and not isinstance(value.type.element, IntegerType):
            return False
        self.begins[value] = None
        return True

    def _follows(self, one: Instruction) -> bool:
        """Whether an instruction gives zero, by its operands."""
        opcode, operands = one.opcode, one.operands
        if opcode in _OF_ALL or isinstance(one, Phi):
            return all(map(self.holds, operands))
        if opcode in _OF_ANY:
            return any(self._holds_alone(operand) for operand in operands)
        if opcode in _OF_FIRST:
            return self.holds(operands[0])
        if opcode in _OF_FIRST_TWO:
            return self.holds(operands[0]) and self.holds(operands[1])
        if isinstance(one, Compare):
            beyond = opcode == "icmp" and one.predicate in _BEYOND_ZERO
            return beyond and is_zero(operands[1]) and self.holds(operands[0])
        if opcode == "select":
            condition, first, second = operands
            is_first = self._holds_alone(condition) or self.holds(first)
            return is_first and self.holds(second)
        return False

    def _holds_alone(self, value: Value) -> bool:
        """As `holds`, where there is another way: nothing is assumed from one that fails."""
        zero, begins = set(self._zero), dict(self.begins)
        if self.holds(value):
            return True
        self._zero, self.begins = zero, begins
        return False
