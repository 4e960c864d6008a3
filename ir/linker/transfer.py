"""What stays, rewritten in place for the result: every symbol by its meaning, every type mapped.

A value is kept when it is needed by itself, or when something kept refers to it. Each kept value is
rewritten once; what it refers to is kept in turn. So symbols that nothing needs are left out, with
no pass of their own.

An alias and an ifunc are of one module with what they point to: they keep that module's own
definition, as a local copy, when the name means another one. (A linker of objects does the same:
the alias is an address in its own object.) So does the address of a block.

Operands of debug records and of intrinsics keep what they name, and so does an attached node that
names it itself. Other metadata keeps nothing; nodes are collected for `irsan.ir.linker.metadata`.
"""

from __future__ import annotations

from collections.abc import Iterable

from irsan.ir.constants import (
    BlockAddress,
    ConstantAggregate,
    ConstantExpr,
    ConstantSplat,
    DSOLocalEquivalent,
    NoCFI,
    PtrAuth,
)
from irsan.ir.linker.attributes import LinkedAttributes
from irsan.ir.linker.instructions import rewrite_body
from irsan.ir.linker.resolution import is_declaration
from irsan.ir.linker.symbols import SymbolTable
from irsan.ir.linker.type_map import TypeMap
from irsan.ir.metadata import (
    Attachments,
    DIArgList,
    Metadata,
    MetadataNode,
    MetadataTuple,
    ValueAsMetadata,
)
from irsan.ir.types import PointerType
from irsan.ir.values import (
    Alias,
    Constant,
    Function,
    GlobalObject,
    GlobalValue,
    GlobalVariable,
    IFunc,
    InlineAsm,
    LocalValue,
    MetadataAsValue,
    Value,
)


class Transfer:
    """Rewrites values; `kept` has them in the order in which they were found.

    nodes: metadata that kept values refer to;  own: definitions whose names mean other ones.
    """

    def __init__(self, symbols: SymbolTable, types: TypeMap) -> None:
        self.symbols = symbols
        self.types = types
        self.attributes = LinkedAttributes(types)
        self.kept: dict[GlobalValue, None] = {}
        self.nodes: dict[MetadataNode, None] = {}
        self.own: set[GlobalValue] = set()
        self._waiting: list[GlobalValue] = []
        self._done: set[object] = set()

    def run(self, needed: Iterable[GlobalValue]) -> None:
        """Keeps `needed`, and all that they refer to."""
        for value in needed:
            self.keep(value)
        while self._waiting:
            self._rewrite_global(self._waiting.pop())

    def keep(self, value: GlobalValue) -> None:
        """Keeps a value, and what stays with it."""
        if value in self.kept:
            return
        self.kept[value] = None
        self._waiting.append(value)
        if not is_declaration(value):
            for other in self.symbols.companions(value):
                self.keep(other)

    def value(self, value: Value) -> Value:
        """An operand as the result has it."""
        if isinstance(value, Constant):
            return self.constant(value)
        if isinstance(value, MetadataAsValue):
            value.type = self.types.map_type(value.type)
            self.metadata(value.metadata)
        elif isinstance(value, InlineAsm) and self._is_first(value):
            value.type = self.types.map_type(value.type)
            value.function_type = self.types.map_type(value.function_type)  # type: ignore[assignment]
        return value

    def constant(self, constant: Constant) -> Constant:
        """A constant as the result has it: rewritten in place, symbols by their meaning."""
        if isinstance(constant, GlobalValue):
            return self._refer(constant)
        if not self._is_first(constant):
            return constant
        constant.type = self.types.map_type(constant.type)  # type: ignore[misc]
        if isinstance(constant, ConstantAggregate):
            constant.elements = [self.constant(one) for one in constant.elements]
        elif isinstance(constant, ConstantExpr):
            constant.operands = [self.constant(one) for one in constant.operands]
            if constant.source_type is not None:
                constant.source_type = self.types.map_type(constant.source_type)
        elif isinstance(constant, ConstantSplat):
            constant.element = self.constant(constant.element)
        elif isinstance(constant, PtrAuth):
            constant.operands = [self.constant(one) for one in constant.operands]
        elif isinstance(constant, (DSOLocalEquivalent, NoCFI)):
            target = self.constant(constant.target)
            assert isinstance(target, GlobalValue)
            constant.target = target
        elif isinstance(constant, BlockAddress):
            return self._block_address(constant)
        return constant

    def metadata(self, metadata: Metadata | None) -> None:
        """An operand of a debug record or of an intrinsic: values in it are kept."""
        if isinstance(metadata, ValueAsMetadata):
            if not isinstance(metadata.value, LocalValue):
                metadata.value = self.value(metadata.value)
        elif isinstance(metadata, DIArgList):
            for argument in metadata.arguments:
                self.metadata(argument)
        elif isinstance(metadata, MetadataNode):
            self.nodes[metadata] = None

    def attachments(self, attached: Attachments) -> None:
        """Attached metadata: symbols that stand in a node itself are kept (associated, callees)."""
        for _, node in attached:
            self.nodes[node] = None
            if isinstance(node, MetadataTuple):
                for item in node.operands:
                    if isinstance(item, ValueAsMetadata) and isinstance(item.value, GlobalValue):
                        self.metadata(item)

    def _is_first(self, item: object) -> bool:
        if item in self._done:
            return False
        self._done.add(item)
        return True

    def _refer(self, value: GlobalValue) -> Constant:
        """The meaning of a symbol, which is kept, as a pointer of the address space asked for."""
        meant = self.symbols.meaning(value)
        self.keep(meant)
        have, want = meant.type, value.type
        assert isinstance(have, PointerType) and isinstance(want, PointerType)
        if have.address_space == want.address_space:
            return meant
        wanted = self.types.target.ptr(want.address_space)
        return ConstantExpr("addrspacecast", wanted, [meant])

    def _block_address(self, address: BlockAddress) -> Constant:
        """The address of a block: its function stays as it is, under whatever name."""
        if self.symbols.meaning(address.function) is not address.function:
            self.own.add(address.function)
        self.keep(address.function)
        return address

    def _rewrite_global(self, value: GlobalValue) -> None:
        value.type = self.types.map_type(value.type)
        value.value_type = self.types.map_type(value.value_type)
        self.attachments(value.metadata)
        if isinstance(value, GlobalObject) and is_declaration(value):
            value.comdat = None
        if isinstance(value, GlobalVariable):
            value.attributes = self.attributes.of_set(value.attributes)
            if value.initializer is not None:
                value.initializer = self.constant(value.initializer)
        elif isinstance(value, Function):
            self._rewrite_function(value)
        elif isinstance(value, Alias) and value.aliasee is not None:
            value.aliasee = self._own_constant(value.aliasee)
        elif isinstance(value, IFunc) and value.resolver is not None:
            value.resolver = self._own_constant(value.resolver)

    def _rewrite_function(self, function: Function) -> None:
        function.attributes = self.attributes.of_function(function)
        for argument in function.arguments:
            argument.type = self.types.map_type(argument.type)
        for part in ("personality", "prefix_data", "prologue_data"):
            constant = getattr(function, part)
            if constant is not None:
                setattr(function, part, self.constant(constant))
        rewrite_body(function, self)

    def _own_constant(self, constant: Constant) -> Constant:
        """What an alias points to, in its own module; a copy, as others may hold the original."""
        if isinstance(constant, ConstantExpr):
            operands = [self._own_constant(one) for one in constant.operands]
            source = constant.source_type
            return ConstantExpr(
                constant.opcode, self.types.map_type(constant.type), operands, constant.flags,
                None if source is None else self.types.map_type(source), constant.in_range,
            )  # fmt: skip
        if not isinstance(constant, GlobalValue):
            return self.constant(constant)
        if self.symbols.meaning(constant) is not constant and not constant.is_declaration:
            self.own.add(constant)
            self.keep(constant)
            return constant
        return self._refer(constant)
