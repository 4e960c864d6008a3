"""The module: the whole of a translation unit, as passes see it.

    module = read_module("a.ll")                    irsan.ir.reading; also parse_ir_text(text)
    for line in dump_ir(module): ...                irsan.ir.dump
    text = print_module(module)                     irsan.ir.printing
    module.types.i32, .ptr(), .function(ret, [..])  irsan.ir.types.TypeContext
    module.functions / globals / aliases / ifuncs   plain lists, printed in this order
    module.function_by_name("main") -> Function | None
    module.global_by_name("x") -> GlobalVariable | None
    module.declare_function("f", function_type, attributes) -> Function    found or made
    module.add_global(value_type, name, initializer=..., linkage="internal") -> GlobalVariable
    function.blocks[i].instructions                 a plain list; a pass assigns a new list
    function.split_block(block, index) -> tail      phis follow; the caller ends `block`
    function.new_block(module.types.label, name, after=block)
    block.terminator, block.successors, block.phis(), block.first_insertion_index()
    instruction.opcode .type .name .operands .debug_location .metadata .debug_records
    Builder(module, block.instructions, debug_location)   irsan.ir.builder: .call .load .gep .br ...
    replace_all_uses(function_or_module, {old: new})      irsan.ir.rewriting
    new_constructor(module, function, priority)           irsan.ir.rewriting: @llvm.global_ctors

`operands` never hold blocks (`terminator.successors`, `phi.blocks` do). A call's operands are
[callee, argument...]. A new instruction takes its neighbour's `debug_location`. Unnamed values are
numbered by the printer.

Source: the LLVM Language Reference, "Module Structure".
"""

from __future__ import annotations

from irsan.ir.attributes import NO_ATTRIBUTES, AttributeList
from irsan.ir.metadata import NamedMetadata
from irsan.ir.types import FunctionType, Type, TypeContext
from irsan.ir.values import (
    Alias,
    Comdat,
    Constant,
    Function,
    GlobalValue,
    GlobalVariable,
    IFunc,
)


class Module:
    """A translation unit. All lists may be changed freely; after renaming a symbol call
    `reindex`.
    """

    __slots__ = (
        "_index",
        "_indexed",
        "aliases",
        "assembly",
        "comdats",
        "data_layout",
        "functions",
        "globals",
        "identifier",
        "ifuncs",
        "named_metadata",
        "source_filename",
        "target_triple",
        "types",
    )

    def __init__(self, source_filename: str = "", types: TypeContext | None = None) -> None:
        self.identifier = ""
        self.source_filename = source_filename
        self.target_triple = ""
        self.data_layout = ""
        self.assembly = ""
        self.types = TypeContext() if types is None else types
        self.comdats: dict[str, Comdat] = {}
        self.functions: list[Function] = []
        self.globals: list[GlobalVariable] = []
        self.aliases: list[Alias] = []
        self.ifuncs: list[IFunc] = []
        self.named_metadata: dict[str, NamedMetadata] = {}
        self._index: dict[str, GlobalValue] = {}
        self._indexed = -1

    def symbol(self, name: str) -> GlobalValue | None:
        """The function, variable, alias or ifunc called `name`."""
        if self._symbol_count() != self._indexed:
            self.reindex()
        return self._index.get(name)

    def function_by_name(self, name: str) -> Function | None:
        found = self.symbol(name)
        return found if isinstance(found, Function) else None

    def global_by_name(self, name: str) -> GlobalVariable | None:
        found = self.symbol(name)
        return found if isinstance(found, GlobalVariable) else None

    def reindex(self) -> None:
        """Renews the name index; needed only after a symbol was renamed."""
        everything = [*self.functions, *self.globals, *self.aliases, *self.ifuncs]
        self._index = {value.name: value for value in everything if value.name}
        self._indexed = len(everything)

    def _symbol_count(self) -> int:
        lists = (self.functions, self.globals, self.aliases, self.ifuncs)
        return sum(len(symbols) for symbols in lists)

    def declare_function(
        self,
        name: str,
        function_type: FunctionType,
        attributes: AttributeList = NO_ATTRIBUTES,
    ) -> Function:
        """The function called `name`, declared with this type and attributes when there is none.

        An existing function is returned as it is, whatever its type (a call carries its own type).
        ValueError when the name belongs to something that is not a function.
        """
        found = self.symbol(name)
        if isinstance(found, Function):
            return found
        if found is not None:
            raise ValueError(f"{name} is already a {type(found).__name__}, not a function")
        function = Function(self.types.ptr_default, function_type, name)
        function.attributes = attributes
        self._add(self.functions, function)
        return function

    def add_global(
        self,
        value_type: Type,
        name: str,
        initializer: Constant | None = None,
        linkage: str = "external",
        is_constant: bool = False,
        address_space: int = 0,
    ) -> GlobalVariable:
        """Adds a variable; without `initializer` an external declaration. A taken name gets
        `.N`.
        """
        pointer = self.types.ptr(address_space)
        unique = self.free_name(name) if name else ""
        variable = GlobalVariable(pointer, value_type, unique, linkage, initializer, is_constant)
        self._add(self.globals, variable)
        return variable

    def free_name(self, name: str) -> str:
        """`name`, or `name.N` with the smallest N that no symbol has."""
        candidate, suffix = name, 0
        while self.symbol(candidate) is not None:
            candidate = f"{name}.{suffix}"
            suffix += 1
        return candidate

    def _add(self, symbols: list[Function] | list[GlobalVariable], value: GlobalValue) -> None:
        """Appends and keeps the index fresh, so that many declarations cost no rebuild each."""
        fresh = self._symbol_count() == self._indexed
        symbols.append(value)  # type: ignore[arg-type]
        if fresh:
            self._indexed += 1
            if value.name:
                self._index[value.name] = value
