"""Metadata: strings, tuples, debug-info nodes, and the bridges between metadata and values.

    MetadataString("int")                                   !"int"
    MetadataTuple([...], distinct)                          !{...}
    DebugNode("DISubprogram", {field: value}, distinct)     !DISubprogram(name: ..., line: 7)
    DILocation(line, column, scope, inlined_at)             !DILocation(line: 3, column: 5, ...)
    ValueAsMetadata(value)                                  i32 7
    DIArgList([...])                                        !DIArgList(i32 %a, i32 %b)

Nodes are objects with identity; `number` is the printer's (`!7`). `DebugNode` is generic: which
fields a kind has, in which order, and how each is read and printed is one table,
`irsan.ir.debug_fields`. `node.get("line")` reads a field; `node.line` is the same.

Source: the LLVM Language Reference, "Metadata" and "Specialized Metadata Nodes".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from irsan.ir.values import Value


class Metadata:
    """Base of everything metadata."""

    __slots__ = ()


class MetadataString(Metadata):
    """A string; `text` is decoded as names are (UTF-8, surrogateescape)."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return f"<MetadataString {self.text!r}>"


class MetadataNode(Metadata):
    """Base of the nodes that get a number."""

    __slots__ = ("distinct", "number")

    def __init__(self, distinct: bool = False) -> None:
        self.distinct = distinct
        self.number = -1

    def metadata_operands(self) -> Iterable[Metadata | None]:
        """The metadata this node refers to."""
        raise NotImplementedError


class MetadataTuple(MetadataNode):
    """A generic node: a list of metadata or None."""

    __slots__ = ("operands",)

    def __init__(self, operands: Sequence[Metadata | None] = (), distinct: bool = False) -> None:
        MetadataNode.__init__(self, distinct)
        self.operands = list(operands)

    def metadata_operands(self) -> Iterable[Metadata | None]:
        return self.operands


class DebugNode(MetadataNode):
    """A specialised node of class `kind`; `fields` maps the printed field names to values.

    Values are int, bool, str-free: strings are `MetadataString`, references `Metadata`, absent
    ones None;
    the elements of a DIExpression or the operands of a GenericDINode are lists.
    """

    __slots__ = ("fields", "kind")

    def __init__(self, kind: str, fields: dict[str, Any] | None = None, distinct: bool = False):
        MetadataNode.__init__(self, distinct)
        self.kind = kind
        self.fields: dict[str, Any] = {} if fields is None else fields

    def get(self, field: str, default: Any = None) -> Any:
        """The value of `field`, or `default` when this kind has none."""
        return self.fields.get(field, default)

    def string(self, field: str) -> str:
        """The text of a string field; empty when absent."""
        value = self.fields.get(field)
        return value.text if isinstance(value, MetadataString) else ""

    def __getattr__(self, name: str) -> Any:
        try:
            return self.fields[name]
        except KeyError:
            raise AttributeError(f"{self.kind} has no field {name}") from None

    def __repr__(self) -> str:
        return f"<{self.kind} {sorted(self.fields)}>"

    def metadata_operands(self) -> Iterable[Metadata | None]:
        for value in self.fields.values():
            if isinstance(value, Metadata):
                yield value
            elif type(value) is list:
                yield from [item for item in value if isinstance(item, Metadata)]


class DILocation(MetadataNode):
    """A source position: `line` and `column` from 1 (0 = unknown), `scope` a node, `inlined_at` a
    location.
    """

    __slots__ = ("atom_group", "atom_rank", "column", "implicit", "inlined_at", "line", "scope")

    def __init__(
        self,
        line: int,
        column: int,
        scope: Metadata | None,
        inlined_at: Metadata | None = None,
        implicit: bool = False,
        atom_group: int = 0,
        atom_rank: int = 0,
        distinct: bool = False,
    ) -> None:
        self.distinct = distinct
        self.number = -1
        self.line = line
        self.column = column
        self.scope = scope
        self.inlined_at = inlined_at
        self.implicit = implicit
        self.atom_group = atom_group
        self.atom_rank = atom_rank

    kind = "DILocation"

    def metadata_operands(self) -> Iterable[Metadata | None]:
        return (self.scope, self.inlined_at)

    def __repr__(self) -> str:
        return f"<DILocation {self.line}:{self.column}>"


class ValueAsMetadata(Metadata):
    """A value used as metadata; printed where it is used, with its type."""

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value


class DIArgList(Metadata):
    """Several values of one debug record; always printed where it is used."""

    __slots__ = ("arguments",)

    def __init__(self, arguments: Sequence[ValueAsMetadata]) -> None:
        self.arguments = list(arguments)


class NamedMetadata:
    """Module level `!name = !{...}`."""

    __slots__ = ("name", "operands")

    def __init__(self, name: str, operands: Sequence[MetadataNode] = ()) -> None:
        self.name = name
        self.operands = list(operands)


Attachments = tuple[tuple[str, MetadataNode], ...]
"""Attached metadata as (kind name, node) pairs; globals may hold one kind several times."""
