"""Values: everything an instruction can use.

    Value --- Constant (constants.py) --- GlobalValue: Function, GlobalVariable, Alias, IFunc
       |----- LocalValue: Argument, BasicBlock, Instruction (instruction.py)
       `----- InlineAsm, MetadataAsValue

`value.type` is its type, `value.ref` its spelling without the type (`%x`, `@f`, `7`, `null`). A
local value's `ref` is set when its function is printed (unnamed ones get their number then);
everything else's is right at any time.

Source: the LLVM Language Reference, "Global Variables", "Functions", "Aliases", "IFuncs", "Inline
Assembler".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from irsan.ir.attributes import NO_ATTRIBUTES, AttributeList, AttributeSet
from irsan.ir.metadata import Attachments, Metadata, MetadataNode
from irsan.ir.text import escape_name, quote_name
from irsan.ir.types import FunctionType, PointerType, Type

if TYPE_CHECKING:
    from irsan.ir.instruction import Instruction, Terminator
    from irsan.ir.phi import Phi


class Value:
    """Base of all values; every subclass has `type` and `ref`."""

    __slots__ = ()
    type: Type

    @property
    def ref(self) -> str:
        """The spelling without the type."""
        raise NotImplementedError

    @property
    def typed_ref(self) -> str:
        """The spelling with the type in front."""
        return f"{self.type.text} {self.ref}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.type.text}>"


class LocalValue(Value):
    """A value of one function; `name` is None when it has only a number."""

    __slots__ = ("name", "ref", "type")
    ref: str
    name: str | None


class Argument(LocalValue):
    """A formal parameter of a function."""

    __slots__ = ("index",)

    def __init__(self, argument_type: Type, index: int, name: str | None = None) -> None:
        self.type = argument_type
        self.index = index
        self.name = name
        self.ref = f"%{quote_name(name)}" if name else "%?"


class BasicBlock(LocalValue):
    """Instructions ending in a terminator; a pass may assign a new `instructions` list."""

    __slots__ = ("instructions", "parent")

    def __init__(self, label_type: Type, name: str | None = None) -> None:
        self.type = label_type
        self.name = name
        self.ref = f"%{quote_name(name)}" if name else "%?"
        self.instructions: list[Instruction] = []
        self.parent: Function | None = None

    @property
    def terminator(self) -> Terminator | None:
        """The last instruction when it is a terminator."""
        last = self.instructions[-1] if self.instructions else None
        return last if last is not None and last.is_terminator else None  # type: ignore[return-value]

    @property
    def successors(self) -> list[BasicBlock]:
        """The blocks the terminator may go to, repeated as often as it names them."""
        terminator = self.terminator
        return list(terminator.successors) if terminator is not None else []

    def phis(self) -> list[Phi]:
        """The phi instructions at the block's head."""
        found = []
        for instruction in self.instructions:
            if instruction.opcode != "phi":
                break
            found.append(instruction)
        return found  # type: ignore[return-value]

    def first_insertion_index(self) -> int:
        """The index of the first place after phis and exception pads."""
        index = 0
        for instruction in self.instructions:
            if instruction.opcode != "phi" and not instruction.is_pad:
                break
            index += 1
        return index


class Constant(Value):
    """A value known before the program runs."""

    __slots__ = ()


class GlobalValue(Constant):
    """What has a name and an address in the module; `type` is the pointer to it."""

    __slots__ = (
        "_name",
        "dll_storage",
        "dso_local",
        "linkage",
        "metadata",
        "partition",
        "ref",
        "thread_local",
        "type",
        "unnamed_addr",
        "value_type",
        "visibility",
    )
    ref: str

    def __init__(self, pointer: PointerType, value_type: Type, name: str, linkage: str) -> None:
        self.type = pointer
        self.value_type = value_type
        self.name = name
        self.linkage = linkage
        self.visibility = ""  # "", "hidden", "protected"
        self.dll_storage = ""  # "", "dllimport", "dllexport"
        self.unnamed_addr = ""  # "", "unnamed_addr", "local_unnamed_addr"
        self.thread_local = ""  # "", "generaldynamic", "localdynamic", "initialexec", "localexec"
        self.dso_local = False
        self.partition = ""
        self.metadata: Attachments = ()

    @property
    def name(self) -> str:
        """The symbol's name; empty for one that has only a number."""
        return self._name

    @name.setter
    def name(self, name: str) -> None:
        self._name = name
        self.ref = f"@{quote_name(name)}" if name else "@?"

    @property
    def is_declaration(self) -> bool:
        raise NotImplementedError

    @property
    def has_local_linkage(self) -> bool:
        return self.linkage in ("private", "internal")

    def set_metadata(self, kind: str, node: MetadataNode | None) -> None:
        """Replaces the attachments named `kind`; None removes them."""
        kept = tuple(pair for pair in self.metadata if pair[0] != kind)
        self.metadata = kept if node is None else (*kept, (kind, node))


class GlobalObject(GlobalValue):
    """What has contents of its own: section, alignment (bytes, 0 = default), comdat."""

    __slots__ = ("alignment", "comdat", "section")

    def __init__(self, pointer: PointerType, value_type: Type, name: str, linkage: str) -> None:
        GlobalValue.__init__(self, pointer, value_type, name, linkage)
        self.section = ""
        self.alignment = 0
        self.comdat: Comdat | None = None


class Comdat:
    """A group of which the linker keeps one, chosen by `selection` (any, largest, ...)."""

    __slots__ = ("name", "selection")

    def __init__(self, name: str, selection: str = "any") -> None:
        self.name = name
        self.selection = selection


class GlobalVariable(GlobalObject):
    """A declaration when `initializer` is None; `sanitizer` has words like no_sanitize_address."""

    __slots__ = (
        "attributes",
        "code_model",
        "externally_initialized",
        "initializer",
        "is_constant",
        "sanitizer",
    )

    def __init__(
        self,
        pointer: PointerType,
        value_type: Type,
        name: str,
        linkage: str = "external",
        initializer: Constant | None = None,
        is_constant: bool = False,
    ) -> None:
        GlobalObject.__init__(self, pointer, value_type, name, linkage)
        self.initializer = initializer
        self.is_constant = is_constant
        self.externally_initialized = False
        self.code_model = ""
        self.sanitizer: tuple[str, ...] = ()
        self.attributes: AttributeSet = ()

    @property
    def is_declaration(self) -> bool:
        return self.initializer is None


class Function(GlobalObject):
    """A function; without `blocks` it is a declaration."""

    __slots__ = (
        "arguments",
        "attributes",
        "blocks",
        "calling_convention",
        "garbage_collector",
        "personality",
        "prefix_data",
        "prologue_data",
    )

    def __init__(
        self,
        pointer: PointerType,
        function_type: FunctionType,
        name: str,
        linkage: str = "external",
    ) -> None:
        GlobalObject.__init__(self, pointer, function_type, name, linkage)
        self.arguments = [Argument(kind, i) for i, kind in enumerate(function_type.parameters)]
        self.blocks: list[BasicBlock] = []
        self.attributes: AttributeList = NO_ATTRIBUTES
        self.calling_convention = 0
        self.garbage_collector = ""
        self.personality: Constant | None = None
        self.prefix_data: Constant | None = None
        self.prologue_data: Constant | None = None

    @property
    def function_type(self) -> FunctionType:
        assert isinstance(self.value_type, FunctionType)
        return self.value_type

    @property
    def is_declaration(self) -> bool:
        return not self.blocks

    @property
    def is_intrinsic(self) -> bool:
        return self._name.startswith("llvm.")

    @property
    def entry(self) -> BasicBlock:
        return self.blocks[0]

    def new_block(
        self, label_type: Type, name: str | None = None, after: BasicBlock | None = None
    ) -> BasicBlock:
        """Adds an empty block, behind `after` or at the end; give it `module.types.label`."""
        block = BasicBlock(label_type, name)
        block.parent = self
        index = len(self.blocks) if after is None else self.blocks.index(after) + 1
        self.blocks.insert(index, block)
        return block

    def split_block(self, block: BasicBlock, index: int, name: str | None = None) -> BasicBlock:
        """Moves `block.instructions[index:]` to a new block behind it, fixing the successors' phis.

        `block` is left without a terminator: the caller appends one. Returns the new block.
        """
        tail = self.new_block(block.type, name, after=block)
        tail.instructions = block.instructions[index:]
        block.instructions = block.instructions[:index]
        for successor in tail.successors:
            for phi in successor.phis():
                phi.blocks = [tail if origin is block else origin for origin in phi.blocks]
        return tail


class Alias(GlobalValue):
    """Another name for `aliasee`, a constant that is an address."""

    __slots__ = ("aliasee",)

    def __init__(
        self,
        pointer: PointerType,
        value_type: Type,
        name: str,
        linkage: str = "external",
        aliasee: Constant | None = None,
    ) -> None:
        GlobalValue.__init__(self, pointer, value_type, name, linkage)
        self.aliasee = aliasee

    @property
    def is_declaration(self) -> bool:
        return False


class IFunc(GlobalValue):
    """A function chosen at load time by calling `resolver`."""

    __slots__ = ("resolver",)

    def __init__(
        self,
        pointer: PointerType,
        value_type: Type,
        name: str,
        linkage: str = "external",
        resolver: Constant | None = None,
    ) -> None:
        GlobalValue.__init__(self, pointer, value_type, name, linkage)
        self.resolver = resolver

    @property
    def is_declaration(self) -> bool:
        return False


class InlineAsm(Value):
    """Assembly as a callee; `function_type` is what the call passes and gets."""

    __slots__ = (
        "align_stack",
        "assembly",
        "can_throw",
        "constraints",
        "function_type",
        "intel_dialect",
        "side_effects",
        "type",
    )

    def __init__(self, pointer: PointerType, function_type: FunctionType) -> None:
        self.type = pointer
        self.function_type = function_type
        self.assembly = ""
        self.constraints = ""
        self.side_effects = False
        self.align_stack = False
        self.intel_dialect = False
        self.can_throw = False

    @property
    def ref(self) -> str:
        words = ["asm"]
        words += ["sideeffect"] if self.side_effects else []
        words += ["alignstack"] if self.align_stack else []
        words += ["inteldialect"] if self.intel_dialect else []
        words += ["unwind"] if self.can_throw else []
        words.append(f'"{escape_name(self.assembly)}", "{escape_name(self.constraints)}"')
        return " ".join(words)


class MetadataAsValue(Value):
    """Metadata as an argument of an intrinsic call."""

    __slots__ = ("metadata", "type")

    def __init__(self, metadata_type: Type, metadata: Metadata) -> None:
        self.type = metadata_type
        self.metadata = metadata

    @property
    def ref(self) -> str:
        from irsan.ir.metadata_text import metadata_ref

        return metadata_ref(self.metadata)
