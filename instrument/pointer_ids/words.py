"""Words: the pointers in numbers of several words, integers of 128 bits and vectors of i64.

    %n = load i128, ptr %p         word 0 at %p, word 1 at %p + 8, with the ids of their slots
    trunc, lshr, shl by 64, or, zext, bitcast        words move along
    store, cmpxchg, atomicrmw xchg                   each word's slot is written

So do clang's atomic operations of 16 bytes on a pointer and its count, and vectorised copies.  A
word is a part of its number, path `(word,)`, as a lane of a vector is.  Only numbers that are
handed on (numbers.py) have words; of others the pointers in them are exposed where they are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from irsan.instrument.pointer_ids.function_ids import FunctionIds, is_unknown
from irsan.instrument.pointer_ids.stack_objects import is_plain_pointer
from irsan.ir.constants import ConstantInt
from irsan.ir.instruction import Instruction
from irsan.ir.operations import BinaryOp
from irsan.ir.types import IntegerType, Type, VectorType
from irsan.ir.values import Value

WORD_BITS: Final = 64
_WORD_BYTES = 8
_MAX_BITS = 512
_MAX_LANES = 64


def is_address_number(kind: Type) -> bool:
    """Whether a number has the size of a pointer."""
    return isinstance(kind, IntegerType) and kind.width == WORD_BITS


def n_words(kind: Type) -> int:
    """How many words a number of several has; 0 for all other types."""
    if isinstance(kind, IntegerType):
        is_wide = kind.width % WORD_BITS == 0 and WORD_BITS < kind.width <= _MAX_BITS
        return kind.width // WORD_BITS if is_wide else 0
    if not isinstance(kind, VectorType) or kind.scalable or kind.count > _MAX_LANES:
        return 0
    return kind.count if is_address_number(kind.element) else 0


def word_paths(kind: Type) -> tuple[tuple[int], ...]:
    """Paths of the words of a type."""
    return tuple((word,) for word in range(n_words(kind)))


def shifted_words(shift: Value) -> int | None:
    """By how many words `shl` and `lshr` of a wide integer move it; None for other values."""
    if not isinstance(shift, BinaryOp) or shift.opcode not in ("shl", "lshr"):
        return None
    amount = shift.operands[1]
    if not isinstance(shift.type, IntegerType) or not isinstance(amount, ConstantInt):
        return None
    words, rest = divmod(amount.unsigned, WORD_BITS)
    return None if rest else words


def as_pointer(ids: FunctionIds, value: Value) -> Value:
    """A pointer, or a number as one."""
    if is_plain_pointer(value.type):
        return value
    return ids.at().cast("inttoptr", value, ids.module.types.ptr_default)


def word_of(ids: FunctionIds, number: Value, word: int) -> Value:
    """Code for one word as a pointer."""
    at = ids.at()
    if isinstance(number.type, VectorType):
        return as_pointer(ids, at.extract_element(number, ids.hooks.int32(word)))
    assert isinstance(number.type, IntegerType)
    if word:
        number = at.binary("lshr", number, ConstantInt(number.type, WORD_BITS * word))
    return as_pointer(ids, at.cast("trunc", number, ids.module.types.i64))


def words_of(ids: FunctionIds, number: Value) -> list[Value]:
    """The ids of the words of a number."""
    return [known_word(ids, number, word) for word in range(n_words(number.type))]


def known_word(ids: FunctionIds, number: Value, word: int) -> Value:
    """The id of one word, of a number of one, too."""
    if is_address_number(number.type):
        return ids.unknown if word else ids.of(number)
    return ids.parts.get(number, {}).get((word,), ids.unknown)


def moved_word(ids: FunctionIds, op: Instruction, word: int) -> Value:
    """The id of a word of what shifts, `or` and casts make of others."""
    shift = shifted_words(op)
    if shift is not None:
        return known_word(ids, op.operands[0], word - shift if op.opcode == "shl" else word + shift)
    if op.opcode == "or":
        known = [known_word(ids, one, word) for one in op.operands]
        known = [one for one in known if not is_unknown(one)]
        return known[0] if len(known) == 1 else ids.unknown
    is_cast = op.opcode in ("zext", "trunc", "bitcast", "ptrtoint")
    return known_word(ids, op.operands[0], word) if is_cast else ids.unknown


def load_words(ids: FunctionIds, place: Value, number: Value) -> list[Value]:
    """The ids of the words of `number`, which memory holds at `place`."""
    return [
        ids.ask("load", _place(ids, place, word), word_of(ids, number, word))
        for word in range(n_words(number.type))
    ]


def store_words(ids: FunctionIds, place: Value, number: Value, known: Sequence[Value]) -> None:
    """Write the slots of the words with known ids, behind the wiping of them all."""
    for word, one in enumerate(known):
        if not is_unknown(one):
            ids.ask("store", _place(ids, place, word), word_of(ids, number, word), one)


def note_number(ids: FunctionIds, value: Instruction, number: Value) -> None:
    """`value`, an i64, has come from memory, where it was a pointer of this id."""
    if value in ids.carried:
        ids.values[value] = number
    else:
        ids.tell("expose", number)


def note_words(ids: FunctionIds, value: Instruction, known: Sequence[Value]) -> None:
    """The same for the words of a number of several."""
    if value in ids.carried:
        ids.parts[value] = {(word,): one for word, one in enumerate(known) if not is_unknown(one)}
        return
    for one in known:
        ids.tell("expose", one)


def _place(ids: FunctionIds, place: Value, word: int) -> Value:
    return ids.at().byte_gep(place, ids.hooks.int64(_WORD_BYTES * word))
