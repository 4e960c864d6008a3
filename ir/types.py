"""LLVM's type system with the semantics of LLVM 3.0 and later (opaque pointers).

A type is an object that is unique within its `TypeContext`, so equality is identity:

    integer(32)              IntegerType(width=32)         one per width
    struct([i32, ptr])       StructType(name=None)         one per structure (literal)
    identified_struct("a")   StructType(name="a")          one per call; `a.0`, `a.1` on collision
        .set_body([...])                                   completes an opaque one later, once

Every type knows its spelling (`text`, "{ i32, ptr }" or "%struct.a"), which is what the printer
uses. An identified struct without a name is spelt by its number in the context ("%0").

Source: the LLVM Language Reference, "Type System"; the LLVM blog's "LLVM 3.0 Type System Rewrite".
Deviations: typed pointers exist only as `TypedPointerType`, which no module of today can hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from irsan.ir.text import escape_name, quote_name


class TypeID(Enum):
    """What LLVM calls the kind of a type."""

    HALF = "half"
    BFLOAT = "bfloat"
    FLOAT = "float"
    DOUBLE = "double"
    X86_FP80 = "x86_fp80"
    FP128 = "fp128"
    PPC_FP128 = "ppc_fp128"
    VOID = "void"
    LABEL = "label"
    METADATA = "metadata"
    X86_AMX = "x86_amx"
    TOKEN = "token"
    INTEGER = "integer"
    FUNCTION = "function"
    POINTER = "pointer"
    STRUCT = "struct"
    ARRAY = "array"
    FIXED_VECTOR = "fixed vector"
    SCALABLE_VECTOR = "scalable vector"
    TYPED_POINTER = "typed pointer"
    TARGET_EXT = "target extension"


FLOAT_BITS: dict[TypeID, int] = {
    TypeID.HALF: 16,
    TypeID.BFLOAT: 16,
    TypeID.FLOAT: 32,
    TypeID.DOUBLE: 64,
    TypeID.X86_FP80: 80,
    TypeID.FP128: 128,
    TypeID.PPC_FP128: 128,
}
MAX_INTEGER_BITS = (1 << 23) - 1


class Type:
    """Base of all types; `text` is the spelling, `type_id` the kind."""

    __slots__ = ("text", "type_id")

    def __init__(self, type_id: TypeID, text: str) -> None:
        self.type_id = type_id
        self.text = text

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.text}>"

    @property
    def scalar(self) -> Type:
        """The element type of a vector, else the type itself."""
        return self.element if isinstance(self, VectorType) else self

    @property
    def is_float(self) -> bool:
        return self.type_id in FLOAT_BITS


class PrimitiveType(Type):
    """void, label, metadata, token, x86_amx and the floating-point types."""

    __slots__ = ()

    @property
    def float_bits(self) -> int:
        """Width in bits of a floating-point type; 0 for the others."""
        return FLOAT_BITS.get(self.type_id, 0)


class IntegerType(Type):
    """iN."""

    __slots__ = ("width",)

    def __init__(self, width: int) -> None:
        Type.__init__(self, TypeID.INTEGER, f"i{width}")
        self.width = width


class PointerType(Type):
    """ptr, with an address space."""

    __slots__ = ("address_space",)

    def __init__(self, address_space: int) -> None:
        text = f"ptr addrspace({address_space})" if address_space else "ptr"
        Type.__init__(self, TypeID.POINTER, text)
        self.address_space = address_space


class TypedPointerType(Type):
    """A pointer that knows its pointee: a back end's private type, never part of a module."""

    __slots__ = ("address_space", "pointee")

    def __init__(self, pointee: Type, address_space: int) -> None:
        space = f", {address_space}" if address_space else ""
        Type.__init__(self, TypeID.TYPED_POINTER, f"typedptr({pointee.text}{space})")
        self.pointee = pointee
        self.address_space = address_space


class FunctionType(Type):
    """A return type, parameter types, and whether `...` follows."""

    __slots__ = ("is_vararg", "parameters", "return_type")

    def __init__(self, return_type: Type, parameters: tuple[Type, ...], is_vararg: bool) -> None:
        inside = [parameter.text for parameter in parameters]
        if is_vararg:
            inside.append("...")
        Type.__init__(self, TypeID.FUNCTION, f"{return_type.text} ({', '.join(inside)})")
        self.return_type = return_type
        self.parameters = parameters
        self.is_vararg = is_vararg


class ArrayType(Type):
    """[count x element]."""

    __slots__ = ("count", "element")

    def __init__(self, element: Type, count: int) -> None:
        Type.__init__(self, TypeID.ARRAY, f"[{count} x {element.text}]")
        self.element = element
        self.count = count


class VectorType(Type):
    """<count x element>, or <vscale x count x element> when `scalable`."""

    __slots__ = ("count", "element", "scalable")

    def __init__(self, element: Type, count: int, scalable: bool) -> None:
        type_id = TypeID.SCALABLE_VECTOR if scalable else TypeID.FIXED_VECTOR
        prefix = "vscale x " if scalable else ""
        Type.__init__(self, type_id, f"<{prefix}{count} x {element.text}>")
        self.element = element
        self.count = count
        self.scalable = scalable


class TargetExtType(Type):
    """target("name", types..., integers...)."""

    __slots__ = ("int_parameters", "name", "type_parameters")

    def __init__(
        self, name: str, type_parameters: tuple[Type, ...], int_parameters: tuple[int, ...]
    ) -> None:
        inside = [f'"{escape_name(name)}"']
        inside += [parameter.text for parameter in type_parameters]
        inside += [str(number) for number in int_parameters]
        Type.__init__(self, TypeID.TARGET_EXT, f"target({', '.join(inside)})")
        self.name = name
        self.type_parameters = type_parameters
        self.int_parameters = int_parameters


class StructType(Type):
    """A literal struct (`is_literal`), or an identified one, opaque until it has a body."""

    __slots__ = ("_elements", "is_literal", "is_packed", "name")

    def __init__(
        self, text: str, name: str | None, elements: tuple[Type, ...] | None, is_packed: bool
    ) -> None:
        Type.__init__(self, TypeID.STRUCT, text)
        self.name = name
        self.is_literal = False
        self.is_packed = is_packed
        self._elements = elements

    @property
    def is_opaque(self) -> bool:
        return self._elements is None

    @property
    def elements(self) -> tuple[Type, ...]:
        """The element types; empty for an opaque struct (ask `is_opaque`)."""
        return self._elements or ()

    def set_body(self, elements: Sequence[Type], is_packed: bool = False) -> None:
        """Completes an opaque identified struct; a second body is an error (ValueError)."""
        if self.is_literal or self._elements is not None:
            raise ValueError(f"{self.text} already has a body")
        self._elements = tuple(elements)
        self.is_packed = is_packed

    @property
    def body_text(self) -> str:
        """What follows `= type` in a definition."""
        if self._elements is None:
            return "opaque"
        return struct_text(self._elements, self.is_packed)


def struct_text(elements: Sequence[Type], is_packed: bool) -> str:
    """The spelling of a struct body: "{ i32, ptr }", "<{ i8 }>", "{}"."""
    inside = ", ".join([element.text for element in elements])
    body = f"{{ {inside} }}" if inside else "{}"
    return f"<{body}>" if is_packed else body


class TypeContext:
    """Makes types and keeps each structure once; one context per module (or per linked program).

    Ready made: `void half bfloat float double x86_fp80 fp128 ppc_fp128 label metadata x86_amx
    token`,
    and the shorthands `i1 i8 i16 i32 i64 i128 ptr_default` (pointer in address space 0).
    """

    def __init__(self) -> None:
        self._unique: dict[tuple[object, ...], Type] = {}
        self._struct_names: dict[str, StructType] = {}
        self._next_suffix = 0
        self.identified: list[StructType] = []
        self.void = self._primitive(TypeID.VOID)
        self.half = self._primitive(TypeID.HALF)
        self.bfloat = self._primitive(TypeID.BFLOAT)
        self.float = self._primitive(TypeID.FLOAT)
        self.double = self._primitive(TypeID.DOUBLE)
        self.x86_fp80 = self._primitive(TypeID.X86_FP80)
        self.fp128 = self._primitive(TypeID.FP128)
        self.ppc_fp128 = self._primitive(TypeID.PPC_FP128)
        self.label = self._primitive(TypeID.LABEL)
        self.metadata = self._primitive(TypeID.METADATA)
        self.x86_amx = self._primitive(TypeID.X86_AMX)
        self.token = self._primitive(TypeID.TOKEN)
        self.i1, self.i8, self.i16 = self.integer(1), self.integer(8), self.integer(16)
        self.i32, self.i64, self.i128 = self.integer(32), self.integer(64), self.integer(128)
        self.ptr_default = self.ptr(0)

    def _primitive(self, type_id: TypeID) -> PrimitiveType:
        return PrimitiveType(type_id, type_id.value)

    def integer(self, width: int) -> IntegerType:
        """iN; ValueError outside 1..2**23-1 bits."""
        if not 1 <= width <= MAX_INTEGER_BITS:
            raise ValueError(f"no integer type has {width} bits")
        found = self._unique.get(("int", width))
        if found is None:
            found = self._unique["int", width] = IntegerType(width)
        assert isinstance(found, IntegerType)
        return found

    def ptr(self, address_space: int = 0) -> PointerType:
        found = self._unique.get(("ptr", address_space))
        if found is None:
            found = self._unique["ptr", address_space] = PointerType(address_space)
        assert isinstance(found, PointerType)
        return found

    def typed_pointer(self, pointee: Type, address_space: int = 0) -> TypedPointerType:
        key = ("typed ptr", pointee, address_space)
        found = self._unique.setdefault(key, TypedPointerType(pointee, address_space))
        assert isinstance(found, TypedPointerType)
        return found

    def function(
        self, return_type: Type, parameters: Sequence[Type] = (), is_vararg: bool = False
    ) -> FunctionType:
        key = ("function", return_type, *parameters, is_vararg)
        found = self._unique.get(key)
        if found is None:
            found = self._unique[key] = FunctionType(return_type, tuple(parameters), is_vararg)
        assert isinstance(found, FunctionType)
        return found

    def array(self, element: Type, count: int) -> ArrayType:
        key = ("array", element, count)
        found = self._unique.get(key)
        if found is None:
            found = self._unique[key] = ArrayType(element, count)
        assert isinstance(found, ArrayType)
        return found

    def vector(self, element: Type, count: int, scalable: bool = False) -> VectorType:
        key = ("vector", element, count, scalable)
        found = self._unique.get(key)
        if found is None:
            found = self._unique[key] = VectorType(element, count, scalable)
        assert isinstance(found, VectorType)
        return found

    def struct(self, elements: Sequence[Type] = (), is_packed: bool = False) -> StructType:
        """The literal struct of this structure."""
        key = ("struct", is_packed, *elements)
        found = self._unique.get(key)
        if found is None:
            text = struct_text(elements, is_packed)
            found = self._unique[key] = StructType(text, None, tuple(elements), is_packed)
            found.is_literal = True
        assert isinstance(found, StructType)
        return found

    def target_ext(
        self, name: str, types: Sequence[Type] = (), integers: Sequence[int] = ()
    ) -> TargetExtType:
        key = ("target", name, tuple(types), tuple(integers))
        found = self._unique.get(key)
        if found is None:
            found = self._unique[key] = TargetExtType(name, tuple(types), tuple(integers))
        assert isinstance(found, TargetExtType)
        return found

    def identified_struct(
        self,
        name: str | None = None,
        elements: Sequence[Type] | None = None,
        is_packed: bool = False,
    ) -> StructType:
        """A new identified struct; a taken name gets `.N`. Without `elements` it is opaque."""
        taken = self._free_name(name) if name else None
        spelling = quote_name(taken) if taken else str(self._unnamed_count())
        body = None if elements is None else tuple(elements)
        struct = StructType(f"%{spelling}", taken, body, is_packed)
        if taken:
            self._struct_names[taken] = struct
        self.identified.append(struct)
        return struct

    def struct_by_name(self, name: str) -> StructType | None:
        return self._struct_names.get(name)

    def _unnamed_count(self) -> int:
        return len(self.identified) - len(self._struct_names)

    def _free_name(self, name: str) -> str:
        candidate = name
        while candidate in self._struct_names:
            candidate = f"{name}.{self._next_suffix}"
            self._next_suffix += 1
        return candidate
