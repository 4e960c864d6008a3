"""Inline assembly: which calls are one, and what they may access in memory by their operands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from irsan.ir.attributes import find_attribute
from irsan.ir.calls import Call, CallTerminator
from irsan.ir.types import Type
from irsan.ir.values import InlineAsm, Value

_INDIRECT: Final = "elementtype"


def is_assembly(call: Call | CallTerminator) -> bool:
    """Whether a call is inline assembly."""
    return isinstance(call.operands[0], InlineAsm)


def memory_operands(call: Call | CallTerminator) -> Iterator[tuple[Value, Type]]:
    """Pointers to what assembly reads or writes as an operand in memory, with its type."""
    for index, argument in enumerate(call.arguments):
        found = find_attribute(call.attributes.parameter(index), _INDIRECT)
        if found is not None and isinstance(found.value, Type):
            yield argument, found.value
