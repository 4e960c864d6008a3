"""How undefined bits go through the instructions of x86 for ciphers.

    AES        a key is added bit by bit; a column of a round depends on four bytes of the state
    SHA, SM4   by tables: which words of which operand reach a word of the result
    GF(2^8)    a byte depends on its source, and on the matrix of its quadword

Carry-less products are `marked`, see moved_lanes.py.

Source: the Intel manual, volume 2; FIPS 197 for the rows that a round of AES shifts.
"""

from __future__ import annotations

from typing import Final

from irsan.instrument.uninitialised.function_shadow import FunctionShadow
from irsan.instrument.uninitialised.masked_lanes import either_of, name_of, parts_of, shuffled
from irsan.instrument.uninitialised.shadow_types import clean
from irsan.instrument.uninitialised.vector_intrinsics import Rule
from irsan.ir.calls import Call
from irsan.ir.types import IntegerType, Type, VectorType
from irsan.ir.values import Value

_STATE_BYTES = 16
_KEY_BYTES = [4, 5, 6, 7, 5, 6, 7, 4, 12, 13, 14, 15, 13, 14, 15, 12]
_FOUR_ROUNDS = ("a0 a1 a2 a3 b0", "a0 a1 a2 a3 b0 b1", "a0 a1 a2 a3 b0 b1 b2",
                "a0 a1 a2 a3 b0 b1 b2 b3")  # fmt: skip
_TWO_ROUNDS = ("a0 a1 a2 b0 b1 c0", "a0 a1 a2 a3 b0 b1 c0 c1", "a0 a1 a3 b0 b1 b2 b3 c0",
               "a0 a1 a2 a3 b0 b1 b2 b3 c0 c1")  # fmt: skip
_REACH: Final = {  # of each word of the result, from the lowest one
    "sha1msg1": ("a0 b2", "a1 b3", "a2 a0", "a3 a1"),
    "sha1msg2": ("a0 a3 b2", "a1 b0", "a2 b1", "a3 b2"),
    "sha1nexte": ("b0", "b1", "b2", "b3 a3"),
    "sha1rnds4": ("a0 a1 a2 a3 b3", "a0 a1 a2 a3 b3 b2", "a0 a1 a2 a3 b3 b2 b1",
                  "a0 a1 a2 a3 b3 b2 b1 b0"),
    "sha256msg1": ("a0 a1", "a1 a2", "a2 a3", "a3 b0"),
    "sha256msg2": ("a0 b2", "a1 b3", "a2 a0 b2", "a3 a1 b3"),
    "sha256rnds2": _TWO_ROUNDS,
    "vsha512msg1": ("a0 a1", "a1 a2", "a2 a3", "a3 b0"),
    "vsha512msg2": ("a0 b2", "a1 b3", "a2 a0 b2", "a3 a1 b3"),
    "vsha512rnds2": _TWO_ROUNDS,
    "vsm4key4": _FOUR_ROUNDS, "vsm4rnds4": _FOUR_ROUNDS,
}  # fmt: skip


def _as(scope: FunctionShadow, bits: Value, width: int) -> Value:
    """The same bits in lanes of another width."""
    types = scope.module.types
    kind = types.vector(types.integer(width), scope.types.size_bits(bits.type) // width)
    return bits if bits.type is kind else scope.at.cast("bitcast", bits, kind)


def _filled(scope: FunctionShadow, bits: Value, width: int) -> Value:
    """Lanes of a width with all bits set where any was."""
    lanes = _as(scope, bits, width)
    return scope.all_or_nothing(lanes, lanes.type)


def _back(scope: FunctionShadow, bits: Value, kind: Type) -> Value:
    return bits if bits.type is kind else scope.at.cast("bitcast", bits, kind)


def _rows_shifted(scope: FunctionShadow, state: Value, step: int) -> Value:
    """Byte `row` of a column comes from the column `row` times `step` further on."""
    wide = _as(scope, state, 8)
    assert isinstance(wide.type, VectorType)
    lanes = [
        base + (4 * (column + step * row) + row) % _STATE_BYTES
        for base in range(0, wide.type.count, _STATE_BYTES)
        for column in range(4)
        for row in range(4)
    ]
    return shuffled(scope, wide, wide, lanes)


def _aes_round(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    state, key = (scope.full(one) for one in call.arguments)
    name = name_of(call)
    moved = _rows_shifted(scope, state, -1 if "aesdec" in name else 1)
    mixed = _filled(scope, moved, 8 if "last" in name else 32)
    return scope.at.binary("or", _back(scope, mixed, kind), key)


def _aes_key(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    shadow = scope.full(call.arguments[0])
    if "aesimc" in name_of(call):
        return _back(scope, _filled(scope, shadow, 32), kind)
    given = _filled(scope, shadow, 8)
    return _back(scope, shuffled(scope, given, given, _KEY_BYTES), kind)


def _affine(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    source, matrix = (scope.full(one) for one in parts_of(call).sources)
    lanes = _back(scope, _filled(scope, matrix, 64), kind)
    return scope.at.binary("or", _filled(scope, source, 8), lanes)


def _table(scope: FunctionShadow, call: Call, kind: Type) -> Value:
    operation = name_of(call).split(".")[2]
    reach = next(rows for name, rows in _REACH.items() if operation.startswith(name))
    assert isinstance(kind, VectorType) and isinstance(kind.element, IntegerType)
    given = [_filled(scope, scope.full(one), kind.element.width) for one in parts_of(call).sources]
    parts = [
        _words(scope, one, [_of(row, letter) for row in reach], kind)
        for letter, one in zip("abc", given, strict=False)
    ]
    return either_of(scope, parts, kind)


def _of(row: str, letter: str) -> list[int]:
    return [int(word[1:]) for word in row.split() if word[0] == letter]


def _words(scope: FunctionShadow, bits: Value, reach: list[list[int]], kind: VectorType) -> Value:
    """Words of one operand wherever they reach; the operand's own zeros stand for none."""
    assert isinstance(bits.type, VectorType)
    none, found = bits.type.count, []
    for nth in range(max(map(len, reach))):
        lanes = [row[nth] if nth < len(row) else none for row in reach]
        full = [
            lane if lane == none else lane + base
            for base in range(0, kind.count, len(reach))
            for lane in lanes
        ]
        found.append(shuffled(scope, bits, clean(bits.type), full))
    return either_of(scope, found, kind)


CIPHER_RULES: Final[dict[str, Rule]] = {
    "aes_round": _aes_round, "aes_key": _aes_key, "affine": _affine, "table": _table,
}  # fmt: skip
