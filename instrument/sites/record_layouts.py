"""The fields of structures, classes and unions as text, for reports that show memory.

    struct node { int key; struct { short x, y; } at; struct node *next[4]; }

    node 40              name and bytes of all
    key 0 4              name, offset and bytes of each field, in the order of the declaration
    at.x 4 2
    at.y 6 2
    next[4] 8 32         an array is one field, whatever its elements are

Members of a union overlap.  Members without a name, and base classes, are named by their own.
A type without fields is left out.

Source: the LLVM Language Reference, "DICompositeType", "DIDerivedType".
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from irsan.instrument.sites.debug_types import (
    ARRAY,
    MEMBER,
    array_counts,
    is_record,
    member_bytes,
    member_start,
    members_of,
    plain_type,
    size_bytes,
)
from irsan.ir.metadata import DebugNode

MAX_FIELDS: Final = 64
_MAX_DEPTH: Final = 8
_NO_NAME: Final = "?"


class RecordLayouts:
    """The texts of a module's types, each made once."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[DebugNode, str] = {}

    def of(self, node: DebugNode | None) -> str:
        """The text of a type; "" unless it is a structure with fields."""
        if node is None or not is_record(node):
            return ""
        found = self._known.get(node)
        if found is None:
            found = self._known[node] = _text(node)
        return found


def _text(node: DebugNode) -> str:
    lines = [*islice(_fields(node, "", 0, _MAX_DEPTH), MAX_FIELDS)]
    name = node.string("name") or _NO_NAME
    return "\n".join([f"{name} {size_bytes(node)}", *lines]) if lines else ""


def _fields(node: DebugNode, prefix: str, start: int, depth: int) -> Iterator[str]:
    for member in members_of(node):
        name = member.string("name") if member.get("tag") == MEMBER else ""
        path = f"{prefix}.{name}".strip(".") if name else prefix
        at, kind = start + member_start(member), plain_type(member.get("baseType"))
        if kind is not None and is_record(kind) and depth:
            yield from _fields(kind, path, at, depth - 1)
        elif path and (n_bytes := member_bytes(member)):
            yield f"{path}{_dimensions(kind)} {at} {n_bytes}"


def _dimensions(kind: DebugNode | None) -> str:
    if kind is None or kind.get("tag") != ARRAY:
        return ""
    return "".join(f"[{count}]" for count in array_counts(kind))
