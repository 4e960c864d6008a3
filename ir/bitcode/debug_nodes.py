"""Specialised metadata nodes from records, most by the table of `irsan.ir.debug_fields`.

Source: record layouts observed with llvm-bcanalyzer on what LLVM 22 writes; the LLVM Language
Reference.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from irsan.ir.bitcode.attributes import wide_integer
from irsan.ir.bitcode.errors import BitcodeError
from irsan.ir.debug_fields import LAYOUT_BY_CODE, OPTIONAL_TAIL, NodeLayout
from irsan.ir.metadata import DebugNode, DILocation, Metadata, MetadataString

if TYPE_CHECKING:
    from irsan.ir.bitcode.state import ModuleState

_SIZE_IS_METADATA = {"DIBasicType", "DIDerivedType", "DIStringType", "DISubrangeType"}
_U64 = (1 << 64) - 1
_VERSIONED_LANGUAGE = 1 << 63


def fill_by_layout(state: ModuleState, node: DebugNode, ops: list[int]) -> None:
    """Fills `node.fields` in the order of its layout."""
    layout = LAYOUT_BY_CODE_OF[node.kind]
    flags = ops[0]
    _check_size_form(node.kind, flags)
    node.distinct = bool(flags & 1)
    missing = len(layout.fields) - (len(ops) - 1)
    if missing > OPTIONAL_TAIL.get(node.kind, 0):
        raise BitcodeError(f"a {node.kind} of {len(ops)} operands; older than LLVM 22's")
    fields = node.fields
    for field, raw in zip(layout.fields, ops[1:], strict=False):
        fields[field.name] = _VALUES[field.kind](state, raw)
    for bit, field in layout.flag_bits:
        fields[field.name] = bool(flags >> bit & 1)
    fields.pop("-", None)
    special = _AFTERWARDS.get(node.kind)
    if special is not None:
        special(fields)


def _check_size_form(kind: str, flags: int) -> None:
    old = kind in _SIZE_IS_METADATA and not flags & 2
    if old or (kind == "DICompositeType" and not flags & 4):
        raise BitcodeError(f"a {kind} with a plain size; older than LLVM 22's")


def _reference(state: ModuleState, raw: int) -> Metadata | None:
    return state.metadata[raw - 1] if raw else None


def _string(state: ModuleState, raw: int) -> MetadataString | None:
    found = state.metadata[raw - 1] if raw else None
    if found is not None and not isinstance(found, MetadataString):
        raise ValueError("a string field that is no string")
    return found


def _number(_: ModuleState, raw: int) -> int:
    return raw


def _signed_int(_: ModuleState, raw: int) -> int:
    value = raw & 0xFFFFFFFF
    return value - (1 << 32) if value >> 31 else value


def _boolean(_: ModuleState, raw: int) -> bool:
    return bool(raw)


def _plus_one(_: ModuleState, raw: int) -> int | None:
    """0 is absent; 1 + a number is that number, kept even when it is 0."""
    return raw - 1 if raw else None


def _suspend(_: ModuleState, raw: int) -> int | None:
    return None if raw == _U64 else raw


def _enum_kind(_: ModuleState, raw: int) -> int | None:
    return None if raw & 0xFFFFFFFF == 0xFFFFFFFF else raw


def _or_none(_: ModuleState, raw: int) -> int | None:
    return raw or None


_VALUES: dict[str, Callable[[ModuleState, int], Any]] = {
    "ref": _reference,
    "bound": _reference,
    "str": _string,
    "sint": _signed_int,
    "bool": _boolean,
    "plus1": _plus_one,
    "suspend": _suspend,
    "enumkind": _enum_kind,
    "ptrauth": _or_none,
    **dict.fromkeys(("int", "-", "tag", "flags", "spflags", "lang", "encoding", "emission",
    "nametable", "checksum", "cc", "macinfo"), _number),
}  # fmt: skip


def _drop_checksum_kind(fields: dict[str, Any]) -> None:
    """Kind 0 stands for "no checksum"."""
    if not fields.get("checksumkind"):
        fields["checksumkind"] = fields["checksum"] = None


def _language_version(fields: dict[str, Any]) -> None:
    """The highest bit of the language says that it is a name with a version beside it."""
    raw = fields["language"]
    if raw & _VERSIONED_LANGUAGE:
        fields["language"] = None
        fields["sourceLanguageName"] = raw & ~_VERSIONED_LANGUAGE


_AFTERWARDS: dict[str, Callable[[dict[str, Any]], None]] = {
    "DIFile": _drop_checksum_kind,
    "DICompileUnit": _language_version,
}


def fill_expression(_: ModuleState, node: DebugNode, ops: list[int]) -> None:
    """DIExpression: [distinct | version << 1, element...]; only version 3 is current."""
    if ops[0] >> 1 != 3:
        raise BitcodeError("a DIExpression older than LLVM 22's")
    node.distinct = bool(ops[0] & 1)
    node.fields["elements"] = ops[1:]


def fill_enumerator(state: ModuleState, node: DebugNode, ops: list[int]) -> None:
    """DIEnumerator: [distinct | unsigned << 1 | wide << 2, bits, name, word...]."""
    if not ops[0] & 4:
        raise BitcodeError("a DIEnumerator older than LLVM 22's")
    node.distinct, unsigned = bool(ops[0] & 1), bool(ops[0] & 2)
    value = wide_integer(ops[3:], ops[1])
    if unsigned:
        value &= (1 << ops[1]) - 1
    node.fields.update(name=_string(state, ops[2]), value=value, isUnsigned=unsigned)


def fill_generic(state: ModuleState, node: DebugNode, ops: list[int]) -> None:
    """GenericDINode: [distinct, tag, version 0, header, operand...]."""
    node.distinct = bool(ops[0] & 1)
    operands = [_reference(state, raw) for raw in ops[4:]]
    node.fields.update(tag=ops[1], header=_string(state, ops[3]), operands=operands)


def fill_fixed_point(state: ModuleState, node: DebugNode, ops: list[int]) -> None:
    """DIFixedPointType: eight plain fields, the factor, then numerator and denominator with
    lengths.
    """
    node.distinct = bool(ops[0] & 1)
    f = node.fields
    f.update(tag=ops[1], name=_string(state, ops[2]), size=_reference(state, ops[3]))
    f.update(align=ops[4], encoding=ops[5], flags=ops[6], kind=ops[7])
    f["factor"] = _signed_int(state, ops[8])
    f["numerator"], index = _counted_integer(ops, 9)
    f["denominator"], _ = _counted_integer(ops, index)


def _counted_integer(ops: list[int], index: int) -> tuple[int, int]:
    words, width = ops[index] >> 32, ops[index] & 0xFFFFFFFF
    index += 1
    value = wide_integer(ops[index : index + words], width) if width else 0
    return value & (1 << width) - 1, index + words


def fill_location(state: ModuleState, node: DILocation, ops: list[int]) -> None:
    """DILocation: [distinct, line, column, scope, inlined at, implicit, atom group, atom rank]."""
    node.distinct = bool(ops[0])
    node.line, node.column = ops[1], ops[2]
    node.scope = state.metadata[ops[3]]
    node.inlined_at = _reference(state, ops[4])
    node.implicit = bool(ops[5])
    node.atom_group, node.atom_rank = ops[6], ops[7]
    if not node.distinct:
        state.locations.setdefault(location_key(node), node)


def location_key(node: DILocation) -> tuple[int, ...]:
    """What makes two locations the same."""
    inlined, scope = id(node.inlined_at), id(node.scope)
    return (
        node.line, node.column, scope, inlined, int(node.implicit), node.atom_group, node.atom_rank,
    )  # fmt: skip


LAYOUT_BY_CODE_OF: dict[str, NodeLayout] = {
    layout.kind: layout for layout in LAYOUT_BY_CODE.values()
}
