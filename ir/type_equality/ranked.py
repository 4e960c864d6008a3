"""Types as terms over a ranked alphabet: every type is a symbol and its children.

    i32                     ("integer", 32)                         no children
    [4 x i8]                ("array", 4)                            i8
    { i32, ptr }            ("struct", False, 2)                    i32, ptr
    %node = { %leaf, i8 }   ("identified", "node", False, 2)        %leaf, i8
    %later = opaque         ("opaque", "later")                     no children
    void (i32, ...)         ("function", True, 2)                   void, i32

A symbol fixes the number of its children (its rank), so a type is a finite or, when it contains
itself, a regular infinite tree, and two types are equal when their trees are. Names of identified
structs count as they were written: `%node.7`, which LLVM called so because `%node` was taken when
the module was read, has the symbol of `%node`. So a type may be replaced by an equal one anywhere,
also as the type of a member of another.

    serialise(types, complete) -> RankedTypes     numbered nodes of all types within these

`complete` gives an opaque struct the node of its body. An opaque struct without a name is equal to
itself only.

Source: H. Comon et al., Tree Automata Techniques and Applications, chapter 1 (ranked alphabets).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from irsan.ir.types import (
    ArrayType,
    FunctionType,
    IntegerType,
    PointerType,
    StructType,
    TargetExtType,
    Type,
    TypedPointerType,
    VectorType,
)

Symbol = tuple[object, ...]

_SUFFIX: Final = re.compile(r"(?<=[^.])(?:\.\d+)+\Z")


@dataclass(slots=True)
class RankedTypes:
    """Nodes by number: `symbols[n]` is the number of a symbol, `children[n]` are node numbers."""

    types: list[Type] = field(default_factory=list)
    symbols: list[int] = field(default_factory=list)
    children: list[tuple[int, ...]] = field(default_factory=list)
    numbers: dict[Type, int] = field(default_factory=dict)

    def number(self, of_type: Type) -> int:
        """The node of a type that was serialised."""
        return self.numbers[of_type]


def original_name(name: str) -> str:
    """The name a struct was written with: without the `.N` of one that was renamed, also often."""
    return _SUFFIX.sub("", name)


def serialise(types: Iterable[Type], complete: Mapping[Type, Type] | None = None) -> RankedTypes:
    """Nodes of the types and of all types within them, in the order in which they are met.

    complete: what stands for an opaque struct.
    """
    complete = complete or {}
    made, alphabet = RankedTypes(), dict[Symbol, int]()
    stack = [(one, complete.get(one, one)) for one in types]
    stack.reverse()
    while stack:
        of_type, meant = stack.pop()
        if meant not in made.numbers:
            made.numbers[meant] = len(made.types)
            made.types.append(meant)
            symbol = symbol_of(meant)
            made.symbols.append(alphabet.setdefault(symbol, len(alphabet)))
            stack += [(one, complete.get(one, one)) for one in reversed(parts_of(meant))]
        made.numbers[of_type] = made.numbers[meant]
    made.children = [
        tuple([made.numbers[part] for part in parts_of(one)]) for one in made.types
    ]  # fmt: skip
    return made


def parts_of(of_type: Type) -> tuple[Type, ...]:
    """The types directly within a type, in order."""
    if isinstance(of_type, StructType):
        return of_type.elements
    if isinstance(of_type, (ArrayType, VectorType)):
        return (of_type.element,)
    if isinstance(of_type, FunctionType):
        return (of_type.return_type, *of_type.parameters)
    if isinstance(of_type, TargetExtType):
        return of_type.type_parameters
    if isinstance(of_type, TypedPointerType):
        return (of_type.pointee,)
    return ()


def symbol_of(of_type: Type) -> Symbol:
    """What a type is without its parts; equal symbols have as many parts."""
    if isinstance(of_type, StructType):
        return _struct_symbol(of_type)
    if isinstance(of_type, IntegerType):
        return ("integer", of_type.width)
    if isinstance(of_type, PointerType):
        return ("pointer", of_type.address_space)
    if isinstance(of_type, ArrayType):
        return ("array", of_type.count)
    if isinstance(of_type, VectorType):
        return ("vector", of_type.count, of_type.scalable)
    if isinstance(of_type, FunctionType):
        return ("function", of_type.is_vararg, len(of_type.parameters) + 1)
    if isinstance(of_type, TargetExtType):
        return ("target", of_type.name, of_type.int_parameters, len(of_type.type_parameters))
    if isinstance(of_type, TypedPointerType):
        return ("typed pointer", of_type.address_space)
    return (of_type.type_id.value,)


def _struct_symbol(struct: StructType) -> Symbol:
    name = original_name(struct.name) if struct.name else None
    if struct.is_opaque:
        return ("opaque", struct if name is None else name)
    if struct.is_literal:
        return ("struct", struct.is_packed, len(struct.elements))
    return ("identified", name, struct.is_packed, len(struct.elements))
