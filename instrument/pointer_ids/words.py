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
_MAX_LANES = 4096


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


def has_words(kind: Type) -> bool:
    """Whether a value is a pointer, the only word of itself, or a number of one or more words."""
    return is_plain_pointer(kind) or is_address_number(kind) or n_words(kind) > 0


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


def word_of(ids: FunctionIds, value: Value, word: int) -> Value:
    """Code for one word as a pointer."""
    at = ids.at()
    if not n_words(value.type):
        return as_pointer(ids, value)
    if isinstance(value.type, VectorType):
        return as_pointer(ids, at.extract_element(value, ids.hooks.int32(word)))
    assert isinstance(value.type, IntegerType)
    if word:
        value = at.binary("lshr", value, ConstantInt(value.type, WORD_BITS * word))
    return as_pointer(ids, at.cast("trunc", value, ids.module.types.i64))


def words_of(ids: FunctionIds, value: Value) -> list[Value]:
    """The ids of the words of a value that has_words."""
    return [known_word(ids, value, word) for word in _words(value.type)]


def _words(kind: Type) -> range:
    return range(n_words(kind) or 1)


def known_word(ids: FunctionIds, value: Value, word: int) -> Value:
    """The id of one word, of one lane of a vector of pointers, too."""
    if is_plain_pointer(value.type) or is_address_number(value.type):
        return ids.unknown if word else ids.of(value)
    return ids.parts.get(value, {}).get((word,), ids.unknown)


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


def load_words(ids: FunctionIds, place: Value, value: Value) -> list[Value]:
    """The ids of the words of `value`, which memory holds at `place`."""
    return [
        ids.ask("load", _place(ids, place, word), word_of(ids, value, word))
        for word in _words(value.type)
    ]


def store_words(ids: FunctionIds, place: Value, number: Value, known: Sequence[Value]) -> None:
    """Write the slots of the words with known ids, behind the wiping of them all."""
    for word, one in enumerate(known):
        if not is_unknown(one):
            ids.ask("store", _place(ids, place, word), word_of(ids, number, word), one)


def note_words(ids: FunctionIds, value: Instruction, known: Sequence[Value]) -> None:
    """`value` has come from memory, or from a bigger one, where its words were pointers of these
    ids.  A number that is not only handed on shows them.
    """
    if not is_plain_pointer(value.type) and value not in ids.carried:
        for one in known:
            ids.tell("expose", one)
    elif n_words(value.type):
        ids.parts[value] = {(word,): one for word, one in enumerate(known) if not is_unknown(one)}
    else:
        ids.values[value] = known[0]


def _place(ids: FunctionIds, place: Value, word: int) -> Value:
    return ids.at().byte_gep(place, ids.hooks.int64(_WORD_BYTES * word)) if word else place
