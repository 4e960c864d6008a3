"""The types of several modules as types of one context.

An identified struct that several modules have is one struct of the target when its classes are one
(`irsan.ir.type_equality`): same original name, same members. Others of its name get `.N`, as LLVM
would call them. An opaque struct is completed with the first body of its original name, unless
that would make a struct contain itself.

Invariant: the map keeps structure. The elements of a mapped struct are the mapped elements, because
nodes of one class have children of one class; so an instruction that takes a struct apart has the
right type without being looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from irsan.ir.type_equality.classes import equality_classes
from irsan.ir.type_equality.ranked import original_name, parts_of, serialise
from irsan.ir.types import (
    ArrayType,
    FunctionType,
    IntegerType,
    PointerType,
    PrimitiveType,
    StructType,
    TargetExtType,
    Type,
    TypeContext,
    TypedPointerType,
    VectorType,
)


class TypeMap:
    """`map_type(t)` is t's counterpart in `target`; made for all types of `contexts`."""

    def __init__(self, contexts: Sequence[TypeContext], target: TypeContext) -> None:
        self.target = target
        self._found: dict[Type, Type] = {}
        structs = [struct for context in contexts for struct in context.identified]
        self._place(structs, completions(structs))

    def map_type(self, of_type: Type) -> Type:
        """The type of the target that stands for `of_type`."""
        found = self._found.get(of_type)
        return self._derive(of_type) if found is None else found

    def _place(self, structs: list[StructType], complete: dict[Type, Type]) -> None:
        """One struct of the target for each class; bodies last, as they may name any of them."""
        ranked = serialise(structs, complete)
        classes = equality_classes(ranked)
        made: dict[int, StructType] = {}
        bodies: list[tuple[StructType, StructType]] = []
        for struct in structs:
            number = ranked.number(struct)
            placed = made.get(classes[number])
            if placed is None:
                name = original_name(struct.name) if struct.name else None
                placed = made[classes[number]] = self.target.identified_struct(name)
                self._found[placed] = placed
                meant = ranked.types[number]
                assert isinstance(meant, StructType)
                bodies.append((placed, meant))
            self._found[struct] = placed
        for placed, meant in bodies:
            if not meant.is_opaque:
                elements = [self.map_type(element) for element in meant.elements]
                placed.set_body(elements, meant.is_packed)

    def _derive(self, of_type: Type) -> Type:
        """Maps the types within first, with a stack of its own (types may be nested deeply)."""
        stack = [of_type]
        while stack:
            one = stack[-1]
            waiting = [part for part in parts_of(one) if part not in self._found]
            if waiting:
                stack += waiting
                continue
            stack.pop()
            if one not in self._found:
                parts = [self._found[part] for part in parts_of(one)]
                self._found[one] = _rebuilt(one, parts, self.target)
        return self._found[of_type]


def completions(structs: Iterable[StructType]) -> dict[Type, Type]:
    """What stands for each opaque struct: the first struct of its original name with a body."""
    bodies: dict[str, StructType] = {}
    opaque = []
    for struct in structs:
        if struct.is_opaque and struct.name:
            opaque.append(struct)
        elif struct.name:
            bodies.setdefault(original_name(struct.name), struct)
    complete: dict[Type, Type] = {}
    for struct in opaque:
        body = bodies.get(original_name(struct.name or ""))
        if body is not None and not _contains(body, struct, complete):
            complete[struct] = body
    return complete


def _contains(body: Type, wanted: Type, complete: dict[Type, Type]) -> bool:
    """Whether a value of type `body` would hold one of type `wanted`."""
    seen: set[Type] = set()
    stack = [body]
    while stack:
        one = stack.pop()
        if one is wanted:
            return True
        one = complete.get(one, one)
        if one not in seen and not isinstance(one, (TypedPointerType, FunctionType)):
            seen.add(one)
            stack += parts_of(one)
    return False


def _rebuilt(of_type: Type, parts: list[Type], target: TypeContext) -> Type:
    """The type of the target with the same symbol as `of_type` and these parts."""
    if isinstance(of_type, IntegerType):
        return target.integer(of_type.width)
    if isinstance(of_type, PointerType):
        return target.ptr(of_type.address_space)
    if isinstance(of_type, ArrayType):
        return target.array(parts[0], of_type.count)
    if isinstance(of_type, VectorType):
        return target.vector(parts[0], of_type.count, of_type.scalable)
    if isinstance(of_type, FunctionType):
        return target.function(parts[0], parts[1:], of_type.is_vararg)
    if isinstance(of_type, StructType):
        return target.struct(parts, of_type.is_packed)
    if isinstance(of_type, TargetExtType):
        return target.target_ext(of_type.name, parts, of_type.int_parameters)
    if isinstance(of_type, TypedPointerType):
        return target.typed_pointer(parts[0], of_type.address_space)
    found = getattr(target, of_type.type_id.value)
    assert isinstance(found, PrimitiveType)
    return found
