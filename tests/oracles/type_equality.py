"""Naive twin of type equality: the greatest relation that symbols and parts agree with.

All pairs of types are taken for equal at first. A pair goes when the types are spelt differently at
their heads, or when a pair of their parts has gone; this is repeated until no pair goes.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence

from irsan.ir.types import (
    ArrayType,
    FunctionType,
    StructType,
    TargetExtType,
    Type,
    TypedPointerType,
    VectorType,
)


def equal_pairs(types: Sequence[Type], complete: Mapping[Type, Type]) -> set[tuple[Type, Type]]:
    """The pairs of these types that are equal, in both orders."""
    everything = all_types(types, complete)
    pairs = {
        (one, other)
        for one, other in itertools.product(everything, repeat=2)
        if head(one) == head(other)
    }
    while True:
        wrong = {
            pair for pair in pairs
            if any((left, right) not in pairs for left, right in part_pairs(pair, complete))
        }  # fmt: skip
        if not wrong:
            break
        pairs -= wrong
    meant = {one: complete.get(one, one) for one in types}
    return {
        (one, other)
        for one, other in itertools.product(types, repeat=2)
        if (meant[one], meant[other]) in pairs
    }


def part_pairs(
    pair: tuple[Type, Type], complete: Mapping[Type, Type]
) -> list[tuple[Type, Type]]:
    """The parts of both types side by side."""
    lists = [[complete.get(part, part) for part in inside(one)] for one in pair]
    return list(zip(*lists, strict=True))


def all_types(types: Sequence[Type], complete: Mapping[Type, Type]) -> list[Type]:
    """These types and all types within them."""
    found: list[Type] = []
    for one in types:
        one = complete.get(one, one)
        if one not in found:
            found.append(one)
    for one in found:  # grows while it is walked
        for part in inside(one):
            part = complete.get(part, part)
            if part not in found:
                found.append(part)
    return found


def inside(of_type: Type) -> list[Type]:
    """The types directly within one."""
    if isinstance(of_type, StructType):
        return list(of_type.elements)
    if isinstance(of_type, (ArrayType, VectorType)):
        return [of_type.element]
    if isinstance(of_type, FunctionType):
        return [of_type.return_type, *of_type.parameters]
    if isinstance(of_type, TargetExtType):
        return list(of_type.type_parameters)
    return [of_type.pointee] if isinstance(of_type, TypedPointerType) else []


def head(of_type: Type) -> tuple[object, ...]:
    """What a type says of itself, its parts left out."""
    n_parts = len(inside(of_type))
    if isinstance(of_type, StructType):
        name = re.sub(r"(\.[0-9]+)+$", "", of_type.name) if of_type.name else None
        if of_type.is_opaque and name is None:
            return ("one of its own", id(of_type))
        return ("struct", name, of_type.is_literal, of_type.is_opaque, of_type.is_packed, n_parts)
    if not n_parts:
        return (type(of_type), of_type.text)
    facts = [getattr(of_type, name, None) for name in (
        "count", "scalable", "is_vararg", "name", "int_parameters", "address_space",
    )]  # fmt: skip
    return (type(of_type), n_parts, *facts)
