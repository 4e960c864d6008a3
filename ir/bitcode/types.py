"""TYPE_BLOCK: the type table, index -> type.

Types stand before their users; an identified struct's name comes in a record of its own just before
it.

Source: the LLVM bitcode file format, "TYPE_BLOCK Contents".
"""

from __future__ import annotations

from collections.abc import Callable

from irsan.ir.bitcode import codes as c
from irsan.ir.bitcode.errors import BitcodeError, Position
from irsan.ir.bitstream.model import Block
from irsan.ir.text import decode_name
from irsan.ir.types import Type, TypeContext, TypeID

_FORBIDDEN_MEMBERS = {TypeID.VOID, TypeID.LABEL, TypeID.METADATA, TypeID.FUNCTION, TypeID.TOKEN}


class TypeTable:
    """Reads the block into `types`."""

    def __init__(self, context: TypeContext, position: Position) -> None:
        self.context = context
        self.position = position
        self.types: list[Type] = []
        self._name: str | None = None

    def read(self, block: Block) -> None:
        """Appends the block's types to `types`."""
        self.position.enter(c.TYPE_NEW)
        for record in block.records():
            self.position.record = record
            if record.code == c.TYPE_STRUCT_NAME:
                self._name = decode_name(c.characters(record.operands))
                continue
            if record.code == c.TYPE_NUMENTRY:
                continue
            reader = _READERS.get(record.code)
            if reader is None:
                raise BitcodeError(f"type code {record.code} is older or newer than LLVM 22's")
            self.types.append(reader(self, record.operands))

    def member(self, index: int) -> Type:
        """A type that may be inside an array or struct; ValueError when it may not."""
        found = self.types[index]
        if found.type_id in _FORBIDDEN_MEMBERS:
            raise ValueError(f"{found.text} inside an aggregate")
        return found

    def take_name(self) -> str | None:
        """The pending struct name, which is used once."""
        name, self._name = self._name, None
        return name


def _primitive(name: str) -> Callable[[TypeTable, list[int]], Type]:
    def read(table: TypeTable, _: list[int]) -> Type:
        found = getattr(table.context, name)
        assert isinstance(found, Type)
        return found

    return read


def _integer(table: TypeTable, ops: list[int]) -> Type:
    return table.context.integer(ops[0])


def _pointer(table: TypeTable, ops: list[int]) -> Type:
    return table.context.ptr(ops[0])


def _array(table: TypeTable, ops: list[int]) -> Type:
    return table.context.array(table.member(ops[1]), ops[0])


def _vector(table: TypeTable, ops: list[int]) -> Type:
    scalable = len(ops) > 2 and bool(ops[2])
    return table.context.vector(table.member(ops[1]), ops[0], scalable)


def _function(table: TypeTable, ops: list[int]) -> Type:
    types = table.types
    return table.context.function(types[ops[1]], [types[p] for p in ops[2:]], bool(ops[0]))


def _literal_struct(table: TypeTable, ops: list[int]) -> Type:
    return table.context.struct([table.member(e) for e in ops[1:]], bool(ops[0]))


def _identified_struct(table: TypeTable, ops: list[int]) -> Type:
    elements = [table.member(element) for element in ops[1:]]
    return table.context.identified_struct(table.take_name(), elements, bool(ops[0]))


def _opaque_struct(table: TypeTable, _: list[int]) -> Type:
    return table.context.identified_struct(table.take_name())


def _target(table: TypeTable, ops: list[int]) -> Type:
    parameters = [table.types[index] for index in ops[1 : 1 + ops[0]]]
    return table.context.target_ext(table.take_name() or "", parameters, ops[1 + ops[0] :])


_READERS: dict[int, Callable[[TypeTable, list[int]], Type]] = {
    2: _primitive("void"),
    3: _primitive("float"),
    4: _primitive("double"),
    5: _primitive("label"),
    c.TYPE_OPAQUE: _opaque_struct,
    c.TYPE_INTEGER: _integer,
    10: _primitive("half"),
    c.TYPE_ARRAY: _array,
    c.TYPE_VECTOR: _vector,
    13: _primitive("x86_fp80"),
    14: _primitive("fp128"),
    15: _primitive("ppc_fp128"),
    16: _primitive("metadata"),
    c.TYPE_STRUCT_ANON: _literal_struct,
    c.TYPE_STRUCT_NAMED: _identified_struct,
    c.TYPE_FUNCTION: _function,
    22: _primitive("token"),
    23: _primitive("bfloat"),
    24: _primitive("x86_amx"),
    c.TYPE_OPAQUE_POINTER: _pointer,
    c.TYPE_TARGET: _target,
}
