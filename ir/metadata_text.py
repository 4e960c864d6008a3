"""Metadata as text: references where it is used, definitions of numbered nodes.

Source: the LLVM Language Reference, "Metadata", "Specialized Metadata Nodes".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from irsan.ir import dwarf
from irsan.ir.constants import ConstantInt
from irsan.ir.debug_fields import LAYOUTS, Field
from irsan.ir.metadata import (
    DebugNode,
    DIArgList,
    DILocation,
    Metadata,
    MetadataNode,
    MetadataString,
    MetadataTuple,
    ValueAsMetadata,
)
from irsan.ir.text import escape_name

INLINE_KINDS = frozenset({"DIExpression"})
"""Nodes that are always written where they are used and never get a number."""
_ZERO_COUNTS = frozenset({"plus1", "suspend", "enumkind"})
"""Kinds of optional numbers for which zero is not the same as absent."""


def metadata_ref(metadata: Metadata | None) -> str:
    """How `metadata` is written where it is used: `!7`, `!"text"`, `i32 5`, `!DIExpression()`,
    `null`.
    """
    if metadata is None:
        return "null"
    if isinstance(metadata, MetadataString):
        return f'!"{escape_name(metadata.text)}"'
    if isinstance(metadata, ValueAsMetadata):
        return metadata.value.typed_ref
    if isinstance(metadata, DIArgList):
        inside = ", ".join([metadata_ref(argument) for argument in metadata.arguments])
        return f"!DIArgList({inside})"
    if isinstance(metadata, DebugNode) and metadata.kind in INLINE_KINDS:
        return node_body(metadata)
    assert isinstance(metadata, MetadataNode)
    return f"!{metadata.number}"


def node_definition(node: MetadataNode) -> str:
    """The line `!7 = ...` of a numbered node."""
    distinct = "distinct " if node.distinct else ""
    return f"!{node.number} = {distinct}{node_body(node)}"


def node_body(node: MetadataNode) -> str:
    """A node without its number."""
    if isinstance(node, MetadataTuple):
        return f"!{{{', '.join([metadata_ref(item) for item in node.operands])}}}"
    if isinstance(node, DILocation):
        return _location_body(node)
    assert isinstance(node, DebugNode)
    special = _SPECIAL_BODIES.get(node.kind)
    if special is not None:
        return special(node)
    layout = LAYOUTS[node.kind]
    parts: list[str] = []
    fields = node.fields
    for field in layout.fields:
        value = fields.get(field.name)
        if field.always or _is_worth_printing(field, value):
            parts.append(_field_text(field, value))
    parts += [f"{f.name}: true" for _, f in layout.flag_bits if fields.get(f.name)]
    return f"!{node.kind}({', '.join(parts)})"


def _is_worth_printing(field: Field, value: Any) -> bool:
    """Whether an optional field says more than its absence does."""
    if value is None:
        return False
    if field.kind in _ZERO_COUNTS:
        return True
    if field.default is not None:
        return value is not field.default
    return value is not False and value != 0


def _field_text(field: Field, value: Any) -> str:
    text = _FIELD_TEXTS[field.kind](value)
    return f"{field.name}: {text}" if field.kind != "ptrauth" else text


def _ref_text(value: Metadata | None) -> str:
    return metadata_ref(value)


def _string_text(value: MetadataString | None) -> str:
    return f'"{escape_name(value.text)}"' if value is not None else '""'


def _bool_text(value: Any) -> str:
    return "true" if value else "false"


def _number_text(value: Any) -> str:
    return str(value or 0)


def _bound_text(value: Metadata | None) -> str:
    if isinstance(value, ValueAsMetadata) and isinstance(value.value, ConstantInt):
        return str(value.value.value)
    return metadata_ref(value)


def _named(prefix: str, names: dict[int, str]) -> Callable[[Any], str]:
    def text(value: Any) -> str:
        name = names.get(value)
        return str(value or 0) if name is None else prefix + name

    return text


def _listed(names: tuple[str, ...]) -> Callable[[Any], str]:
    return _named("", dict(enumerate(names)))


def _ptrauth_text(raw: int) -> str:
    """The packed pointer authentication word as its five fields."""
    words = [
        f"ptrAuthKey: {raw & 15}",
        f"ptrAuthIsAddressDiscriminated: {_bool_text(raw >> 4 & 1)}",
        f"ptrAuthExtraDiscriminator: {raw >> 5 & 0xFFFF}",
        f"ptrAuthIsaPointer: {_bool_text(raw >> 21 & 1)}",
        f"ptrAuthAuthenticatesNullValues: {_bool_text(raw >> 22 & 1)}",
    ]
    return ", ".join(words)


_FIELD_TEXTS: dict[str, Callable[[Any], str]] = {
    "ref": _ref_text,
    "str": _string_text,
    "bool": _bool_text,
    "int": _number_text,
    "sint": _number_text,
    "plus1": _number_text,
    "suspend": _number_text,
    "bound": _bound_text,
    "tag": _named("DW_TAG_", dwarf.TAGS),
    "lang": _named("DW_LANG_", dwarf.LANGUAGES),
    "lname": _named("DW_LNAME_", dwarf.LANGUAGE_NAMES),
    "encoding": _named("DW_ATE_", dwarf.ENCODINGS),
    "cc": _named("DW_CC_", dwarf.CALLING_CONVENTIONS),
    "macinfo": _named("DW_MACINFO_", dwarf.MACRO_KINDS),
    "enumkind": _named("DW_APPLE_ENUM_KIND_", dwarf.ENUM_KINDS),
    "emission": _listed(dwarf.EMISSION_KINDS),
    "nametable": _listed(dwarf.NAME_TABLE_KINDS),
    "checksum": _listed(dwarf.CHECKSUM_KINDS),
    "flags": lambda value: dwarf.flags_text(value or 0, dwarf.FLAGS, "DIFlag"),
    "spflags": lambda value: dwarf.flags_text(value or 0, dwarf.SUBPROGRAM_FLAGS, "DISPFlag"),
    "ptrauth": _ptrauth_text,
}


def _location_body(node: DILocation) -> str:
    parts = [f"line: {node.line}"]
    if node.column:
        parts.append(f"column: {node.column}")
    parts.append(f"scope: {metadata_ref(node.scope)}")
    if node.inlined_at is not None:
        parts.append(f"inlinedAt: {metadata_ref(node.inlined_at)}")
    if node.implicit:
        parts.append("isImplicitCode: true")
    if node.atom_group:
        parts.append(f"atomGroup: {node.atom_group}")
    if node.atom_rank:
        parts.append(f"atomRank: {node.atom_rank}")
    return f"!DILocation({', '.join(parts)})"


def _expression_body(node: DebugNode) -> str:
    """Names where the operations are known; from the first unknown one on plain numbers."""
    elements: list[int] = node.fields["elements"]
    words: list[str] = []
    index = 0
    while index < len(elements):
        name, arity = _operation(elements[index])
        if name is None or index + arity >= len(elements):
            words += [str(element) for element in elements[index:]]
            break
        words.append(name)
        words += _operation_operands(name, elements[index + 1 : index + 1 + arity])
        index += 1 + arity
    return f"!DIExpression({', '.join(words)})"


def _operation(code: int) -> tuple[str | None, int]:
    if 0x30 <= code <= 0x4F:
        return f"DW_OP_lit{code - 0x30}", 0
    if 0x50 <= code <= 0x6F:
        return f"DW_OP_reg{code - 0x50}", 0
    if 0x70 <= code <= 0x8F:
        return f"DW_OP_breg{code - 0x70}", 1
    name, arity = dwarf.OPERATIONS.get(code, (None, 0))
    return (None, 0) if name is None else (f"DW_OP_{name}", arity)


def _operation_operands(name: str, operands: list[int]) -> list[str]:
    if name == "DW_OP_LLVM_convert":
        return [str(operands[0]), _FIELD_TEXTS["encoding"](operands[1])]
    return [str(operand) for operand in operands]


def _enumerator_body(node: DebugNode) -> str:
    unsigned = ", isUnsigned: true" if node.fields["isUnsigned"] else ""
    name = _string_text(node.fields["name"])
    return f"!DIEnumerator(name: {name}, value: {node.fields['value']}{unsigned})"


def _generic_body(node: DebugNode) -> str:
    parts = [f"tag: {_FIELD_TEXTS['tag'](node.fields['tag'])}"]
    if node.fields["header"] is not None:
        parts.append(f"header: {_string_text(node.fields['header'])}")
    operands = node.fields["operands"]
    if operands:
        inside = ", ".join([metadata_ref(operand) for operand in operands])
        parts.append(f"operands: {{{inside}}}")
    return f"!GenericDINode({', '.join(parts)})"


def _fixed_point_body(node: DebugNode) -> str:
    f = node.fields
    parts = [f"tag: {_FIELD_TEXTS['tag'](f['tag'])}"]
    parts += [f"name: {_string_text(f['name'])}"] if f["name"] is not None else []
    parts += [f"size: {_bound_text(f['size'])}"] if f["size"] is not None else []
    parts += [f"align: {f['align']}"] if f["align"] else []
    parts.append(f"encoding: {_FIELD_TEXTS['encoding'](f['encoding'])}")
    parts += [f"flags: {_FIELD_TEXTS['flags'](f['flags'])}"] if f["flags"] else []
    parts.append(f"kind: {_listed(dwarf.FIXED_POINT_KINDS)(f['kind'])}")
    if f["kind"] == dwarf.FIXED_POINT_KINDS.index("Rational"):
        parts += [f"numerator: {f['numerator']}", f"denominator: {f['denominator']}"]
    else:
        parts.append(f"factor: {f['factor']}")
    return f"!DIFixedPointType({', '.join(parts)})"


_SPECIAL_BODIES: dict[str, Callable[[DebugNode], str]] = {
    "DIExpression": _expression_body,
    "DIEnumerator": _enumerator_body,
    "GenericDINode": _generic_body,
    "DIFixedPointType": _fixed_point_body,
}
