"""PARAMATTR_GROUP and PARAMATTR: attribute groups, and the lists made of them.

    GRP_ENTRY [group id, place, attribute...]     place: 0xFFFFFFFF function, 0 result, 1 + N
    parameter N
    ENTRY     [group id...]                       list number = order of appearance, from 1

An attribute starts with its form: 0 enum, 1 integer, 3 and 4 strings, 5 and 6 types, 7 a range, 8
ranges.

Source: the LLVM bitcode file format, "PARAMATTR_BLOCK Contents".
"""

from __future__ import annotations

from irsan.ir.attributes import (
    NO_ATTRIBUTES,
    Attribute,
    AttributeList,
    AttributeSet,
    AttributeValue,
    IntRange,
)
from irsan.ir.bitcode import codes as c
from irsan.ir.bitcode.attribute_kinds import ATTRIBUTE_KINDS
from irsan.ir.bitcode.errors import BitcodeError, Position
from irsan.ir.bitstream.model import Block
from irsan.ir.text import decode_name
from irsan.ir.types import Type

_FUNCTION_PLACE = 0xFFFFFFFF
_MAX_PARAMETERS = 1 << 16
_MEMORY_VERSION_SHIFT = 56


class AttributeTable:
    """`lists[n]` is the attribute list a record calls n; 0 is the empty one."""

    def __init__(self, types: list[Type], position: Position) -> None:
        self.types = types
        self.position = position
        self.lists: list[AttributeList] = [NO_ATTRIBUTES]
        self._groups: dict[int, tuple[int, AttributeSet]] = {}

    def read_groups(self, block: Block) -> None:
        """PARAMATTR_GROUP."""
        self.position.enter(c.PARAMATTR_GROUP)
        for record in block.records(3):
            self.position.record = record
            group_id, place = record.operands[:2]
            self._groups[group_id] = (place, self._attributes(record.operands))

    def read_lists(self, block: Block) -> None:
        """PARAMATTR."""
        self.position.enter(c.PARAMATTR)
        for record in block.records():
            self.position.record = record
            if record.code != 2:
                raise BitcodeError("attribute lists of LLVM before 3.3 are not supported")
            self.lists.append(self._list(record.operands))

    def _list(self, group_ids: list[int]) -> AttributeList:
        groups = dict([self._groups[group_id] for group_id in group_ids])
        function = groups.pop(_FUNCTION_PLACE, ())
        returns = groups.pop(0, ())
        count = max(groups, default=0)
        if count > _MAX_PARAMETERS:
            raise BitcodeError(f"attributes of parameter {count - 1}")
        parameters = tuple([groups.get(index + 1, ()) for index in range(count)])
        return AttributeList(function, returns, parameters)

    def _attributes(self, ops: list[int]) -> AttributeSet:
        found: list[Attribute] = []
        index = 2
        while index < len(ops):
            attribute, index = self._attribute(ops, index)
            found.append(attribute)
        return tuple(found)

    def _attribute(self, ops: list[int], index: int) -> tuple[Attribute, int]:
        form = ops[index]
        if form in (3, 4):
            return _string_attribute(ops, index + 1, form == 4)
        kind = ATTRIBUTE_KINDS.get(ops[index + 1])
        if kind is None:
            raise BitcodeError(f"attribute number {ops[index + 1]} is newer than this reader")
        value: AttributeValue = None
        index += 2
        if form == 1:
            value, index = _integer_value(kind, ops[index]), index + 1
        elif form == 6:
            value, index = self.types[ops[index]], index + 1
        elif form == 7:
            width, index = ops[index], index + 1
            value, index = read_range(ops, index, width)
        elif form == 8:
            value, index = _ranges(ops, index)
        elif form not in (0, 5):
            raise BitcodeError(f"attribute form {form} is newer than this reader")
        return Attribute(kind, value), index


def _integer_value(kind: str, raw: int) -> int:
    """The memory attribute carries a version in its highest byte, which is no part of its value."""
    return raw & ((1 << _MEMORY_VERSION_SHIFT) - 1) if kind == "memory" else raw


def _string_attribute(ops: list[int], start: int, has_value: bool) -> tuple[Attribute, int]:
    end = ops.index(0, start)
    kind = decode_name(c.characters(ops[start:end]))
    if not has_value:
        return Attribute(kind, "", True), end + 1
    stop = ops.index(0, end + 1)
    value = decode_name(c.characters(ops[end + 1 : stop]))
    return Attribute(kind, value, True), stop + 1


def read_range(ops: list[int], index: int, width: int) -> tuple[IntRange, int]:
    """A [low, high) of `width` bits at `index`; returns it and the index behind it."""
    if width <= 64:
        return IntRange(width, c.signed_vbr(ops[index]), c.signed_vbr(ops[index + 1])), index + 2
    low_words, high_words = ops[index] & 0xFFFFFFFF, ops[index] >> 32
    index += 1
    low = wide_integer(ops[index : index + low_words], width)
    index += low_words
    high = wide_integer(ops[index : index + high_words], width)
    return IntRange(width, low, high), index + high_words


def wide_integer(words: list[int], width: int) -> int:
    """An integer of several 64-bit words, each sign-rotated; signed in `width` bits."""
    value = 0
    for position, word in enumerate(words):
        value |= (c.signed_vbr(word) & (1 << 64) - 1) << (64 * position)
    value &= (1 << width) - 1
    return value - (1 << width) if value >> (width - 1) else value


def _ranges(ops: list[int], index: int) -> tuple[tuple[IntRange, ...], int]:
    count, width = ops[index], ops[index + 1]
    index += 2
    if count > len(ops):
        raise BitcodeError(f"{count} ranges in one attribute")
    found: list[IntRange] = []
    for _ in range(count):
        item, index = read_range(ops, index, width)
        found.append(item)
    return tuple(found), index
