"""x86-64 relocations one by one, in Python integers: the twin of the vectorised pass."""

from __future__ import annotations

from dataclasses import dataclass

#: relocation type: (what is stored, width in bytes, signed) written from the ABI's table
FORMULAS = {
    1: ("S+A", 8, True),
    2: ("S+A-P", 4, True),
    4: ("L+A-P", 4, True),
    9: ("G+A-P", 4, True),
    10: ("S+A", 4, False),
    11: ("S+A", 4, True),
    12: ("S+A", 2, True),
    13: ("S+A-P", 2, True),
    14: ("S+A", 1, True),
    15: ("S+A-P", 1, True),
    24: ("S+A-P", 8, True),
    25: ("S+A-GOT", 8, True),
    26: ("GOT+A-P", 4, True),
    27: ("G+A-GOT", 8, True),
    29: ("GOT+A-P", 8, True),
    31: ("L+A-GOT", 8, True),
    32: ("Z+A", 4, True),
    33: ("Z+A", 8, True),
}


@dataclass(frozen=True, slots=True)
class Field:
    """One relocation and the addresses it is about."""

    kind: int
    place: int
    addend: int
    symbol: int
    stub: int
    slot: int
    got: int
    size: int


def field_bytes(field: Field) -> bytes | None:
    """The bytes to store; None when the value does not fit."""
    formula, width, signed = FORMULAS[field.kind]
    named = {
        "S": field.symbol,
        "L": field.stub,
        "G": field.slot,
        "GOT": field.got,
        "A": field.addend,
        "P": field.place,
        "Z": field.size,
    }
    total = 0
    for part in formula.replace("-", "+-").split("+"):
        total += -named[part[1:]] if part.startswith("-") else named[part]
    if width == 8:
        return (total & 2**64 - 1).to_bytes(8, "little")
    low, high = (-(1 << width * 8 - 1), 1 << width * 8 - 1) if signed else (0, 1 << width * 8)
    if not low <= total < high:
        return None
    return total.to_bytes(width, "little", signed=total < 0)
