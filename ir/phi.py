"""The phi instruction.

Source: the LLVM Language Reference, "phi Instruction".
"""

from __future__ import annotations

from irsan.ir.instruction import Instruction
from irsan.ir.types import Type
from irsan.ir.values import BasicBlock, Value


class Phi(Instruction):
    """`operands[i]` is the value when control came from `blocks[i]`; `flags` are fast-math
    flags.
    """

    __slots__ = ("blocks", "flags")
    opcode = "phi"

    def __init__(
        self,
        result: Type,
        values: list[Value],
        blocks: list[BasicBlock],
        flags: tuple[str, ...] = (),
        name: str | None = None,
    ) -> None:
        Instruction.__init__(self, result, values, name)
        self.blocks = blocks
        self.flags = flags

    @property
    def incoming(self) -> list[tuple[Value, BasicBlock]]:
        """(value, block) pairs."""
        return list(zip(self.operands, self.blocks, strict=True))
