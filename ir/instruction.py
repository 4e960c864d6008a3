"""The base of all instructions, of terminators, and the debug records that stand before an
instruction.

    instruction.opcode          "load"
    instruction.type            result type (void when there is none)
    instruction.operands        list of values; NEVER blocks: those are `terminator.successors`
    and `phi.blocks`
    instruction.debug_location  DILocation or None
    instruction.metadata        other attachments, ((kind name, node), ...)
    instruction.debug_records   records (#dbg_value ...) that stand just before it

Use lists are not kept: `irsan.ir.rewriting.replace_all_uses` walks.

Source: the LLVM Language Reference, "Instruction Reference"; LLVM's "Source Level Debugging",
"Debug Records".
"""

from __future__ import annotations

from collections.abc import Sequence

from irsan.ir.metadata import Attachments, DILocation, Metadata, MetadataNode
from irsan.ir.text import quote_name
from irsan.ir.types import Type
from irsan.ir.values import BasicBlock, LocalValue, Value


class DebugRecord:
    """`#dbg_value`, `#dbg_declare`, `#dbg_assign`, `#dbg_label`, `#dbg_declare_value`.

    `operands` are metadata in printed order, without the location: for dbg_value (location value,
    variable,
    expression); for dbg_assign also (assign id, address, address expression); for dbg_label
    (label,).
    """

    __slots__ = ("debug_location", "kind", "operands")

    def __init__(
        self, kind: str, operands: Sequence[Metadata | None], debug_location: MetadataNode | None
    ) -> None:
        self.kind = kind
        self.operands = list(operands)
        self.debug_location = debug_location


class Instruction(LocalValue):
    """Base of all instructions."""

    __slots__ = ("debug_location", "debug_records", "metadata", "operands")
    opcode: str
    is_terminator = False
    is_pad = False
    operands: list[Value]
    debug_location: MetadataNode | None
    debug_records: list[DebugRecord] | tuple[()]
    metadata: Attachments

    def __init__(self, result: Type, operands: list[Value], name: str | None = None) -> None:
        self.type = result
        self.operands = operands
        self.name = name
        self.ref = f"%{quote_name(name)}" if name else "%?"
        self.debug_location = None
        self.metadata = ()
        self.debug_records = ()

    def __repr__(self) -> str:
        return f"<{self.opcode} {self.type.text} {self.name or ''}>"

    def set_metadata(self, kind: str, node: MetadataNode | None) -> None:
        """Replaces the attachment named `kind`; None removes it."""
        kept = tuple(pair for pair in self.metadata if pair[0] != kind)
        self.metadata = kept if node is None else (*kept, (kind, node))

    def get_metadata(self, kind: str) -> MetadataNode | None:
        """The attachment named `kind`, or None."""
        for name, node in self.metadata:
            if name == kind:
                return node
        return None

    @property
    def location(self) -> DILocation | None:
        """`debug_location` when it is a DILocation."""
        found = self.debug_location
        return found if isinstance(found, DILocation) else None


class Terminator(Instruction):
    """Ends a block; `successors` are the blocks it may go to, in printed order."""

    __slots__ = ("successors",)
    is_terminator = True
    successors: list[BasicBlock]

    def __init__(
        self,
        result: Type,
        operands: list[Value],
        successors: list[BasicBlock],
        name: str | None = None,
    ) -> None:
        Instruction.__init__(self, result, operands, name)
        self.successors = successors
