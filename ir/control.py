"""Terminators and exception handling: ret, br, switch, resume, landingpad and the funclet family.

`successors` hold the blocks; `operands` only values.

Source: the LLVM Language Reference, "Terminator Instructions"; "Exception Handling in LLVM".
"""

from __future__ import annotations

from collections.abc import Sequence

from irsan.ir.constants import Constant
from irsan.ir.instruction import Instruction, Terminator
from irsan.ir.types import Type
from irsan.ir.values import BasicBlock, Value


class Ret(Terminator):
    """`ret value`; operands are empty for `ret void`."""

    __slots__ = ()
    opcode = "ret"

    def __init__(self, void: Type, value: Value | None = None) -> None:
        Terminator.__init__(self, void, [] if value is None else [value], [])

    @property
    def value(self) -> Value | None:
        return self.operands[0] if self.operands else None


class Br(Terminator):
    """Unconditional (no operand, one successor) or conditional ([condition], [if true, if
    false]).
    """

    __slots__ = ()
    opcode = "br"

    def __init__(
        self, void: Type, successors: list[BasicBlock], condition: Value | None = None
    ) -> None:
        Terminator.__init__(self, void, [] if condition is None else [condition], successors)

    @property
    def condition(self) -> Value | None:
        return self.operands[0] if self.operands else None


class Switch(Terminator):
    """successors[0] is the default; `cases[i]` goes to successors[i + 1]."""

    __slots__ = ("cases",)
    opcode = "switch"

    def __init__(
        self,
        void: Type,
        condition: Value,
        default: BasicBlock,
        cases: Sequence[tuple[Constant, BasicBlock]],
    ) -> None:
        blocks = [default, *[block for _, block in cases]]
        Terminator.__init__(self, void, [condition], blocks)
        self.cases = [value for value, _ in cases]


class IndirectBr(Terminator):
    """Jumps to a block address; successors are all it may be."""

    __slots__ = ()
    opcode = "indirectbr"

    def __init__(self, void: Type, address: Value, successors: list[BasicBlock]) -> None:
        Terminator.__init__(self, void, [address], successors)


class Unreachable(Terminator):
    """Control never comes here."""

    __slots__ = ()
    opcode = "unreachable"

    def __init__(self, void: Type) -> None:
        Terminator.__init__(self, void, [], [])


class Resume(Terminator):
    """Goes on unwinding with `operands[0]`."""

    __slots__ = ()
    opcode = "resume"

    def __init__(self, void: Type, value: Value) -> None:
        Terminator.__init__(self, void, [value], [])


class LandingPad(Instruction):
    """`clauses` are "catch" or "filter", one per operand."""

    __slots__ = ("clauses", "is_cleanup")
    opcode = "landingpad"
    is_pad = True

    def __init__(
        self,
        result: Type,
        clauses: Sequence[tuple[str, Value]],
        is_cleanup: bool,
        name: str | None = None,
    ) -> None:
        Instruction.__init__(self, result, [value for _, value in clauses], name)
        self.clauses = [kind for kind, _ in clauses]
        self.is_cleanup = is_cleanup


class FuncletPad(Instruction):
    """catchpad and cleanuppad: operands are [parent pad, argument...]; the parent may be `none`."""

    __slots__ = ("opcode",)
    is_pad = True

    def __init__(
        self,
        opcode: str,
        token: Type,
        parent: Value,
        arguments: Sequence[Value],
        name: str | None = None,
    ) -> None:
        Instruction.__init__(self, token, [parent, *arguments], name)
        self.opcode = opcode


class CatchSwitch(Terminator):
    """operands [parent pad]; successors are the handlers, then the unwind block when
    `has_unwind`.
    """

    __slots__ = ("has_unwind",)
    opcode = "catchswitch"
    is_pad = True

    def __init__(
        self,
        token: Type,
        parent: Value,
        handlers: Sequence[BasicBlock],
        unwind: BasicBlock | None,
        name: str | None = None,
    ) -> None:
        blocks = [*handlers] if unwind is None else [*handlers, unwind]
        Terminator.__init__(self, token, [parent], blocks, name)
        self.has_unwind = unwind is not None

    @property
    def handlers(self) -> list[BasicBlock]:
        return self.successors[:-1] if self.has_unwind else list(self.successors)


class CatchRet(Terminator):
    """Leaves `operands[0]`, a catchpad, for successors[0]."""

    __slots__ = ()
    opcode = "catchret"

    def __init__(self, void: Type, pad: Value, target: BasicBlock) -> None:
        Terminator.__init__(self, void, [pad], [target])


class CleanupRet(Terminator):
    """Leaves `operands[0]`, a cleanuppad; no successor means to the caller."""

    __slots__ = ()
    opcode = "cleanupret"

    def __init__(self, void: Type, pad: Value, unwind: BasicBlock | None) -> None:
        Terminator.__init__(self, void, [pad], [] if unwind is None else [unwind])
