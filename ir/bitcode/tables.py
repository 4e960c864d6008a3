"""Numbers of operations, predicates and flags in records, and their words.

Source: the LLVM bitcode file format, "FUNCTION_BLOCK Contents"; observed with llvm-bcanalyzer.
"""

from __future__ import annotations

from irsan.ir.memory import RMW_OPERATIONS
from irsan.ir.operations import CAST_OPCODES, FLOAT_PREDICATES, INTEGER_PREDICATES
from irsan.ir.types import Type

Flags = tuple[str, ...]

_INTEGER_WORDS = ("add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and",
                  "or", "xor")  # fmt: skip
_FLOAT_WORDS = {0: "fadd", 1: "fsub", 2: "fmul", 4: "fdiv", 6: "frem"}
CAST_WORDS = dict(enumerate(CAST_OPCODES))
RMW_WORDS = dict(enumerate((*RMW_OPERATIONS, "fmaximumnum", "fminimumnum")))
PREDICATES: dict[int, str] = {
    **dict(enumerate(FLOAT_PREDICATES)),
    **{32 + number: word for number, word in enumerate(INTEGER_PREDICATES)},
}


def binary_word(code: int, operand_type: Type) -> str:
    """The opcode of a binary operation: integer and floating point share numbers."""
    return _FLOAT_WORDS[code] if operand_type.scalar.is_float else _INTEGER_WORDS[code]


def _combinations(words: tuple[str, ...], bits: tuple[int, ...]) -> dict[int, Flags]:
    """Every sum of `bits` -> the words of those bits, in the order of `words`."""
    table: dict[int, Flags] = {0: ()}
    for word, bit in zip(words, bits, strict=True):
        table.update({number | bit: (*flags, word) for number, flags in list(table.items())})
    return table


def _fast_math() -> dict[int, Flags]:
    words = ("reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn")
    table = _combinations(words, (128, 2, 4, 8, 16, 32, 64))
    table[254] = ("fast",)
    table[255] = ("fast",)
    return table


FAST_MATH = _fast_math()
_WRAP = _combinations(("nuw", "nsw"), (1, 2))
_EXACT = _combinations(("exact",), (1,))
_DISJOINT = _combinations(("disjoint",), (1,))
_NON_NEGATIVE = _combinations(("nneg",), (1,))
_NONE: dict[int, Flags] = {0: ()}
SAME_SIGN = _combinations(("samesign",), (1,))

BINARY_FLAGS: dict[str, dict[int, Flags]] = {
    **dict.fromkeys(("add", "sub", "mul", "shl"), _WRAP),
    **dict.fromkeys(("udiv", "sdiv", "lshr", "ashr"), _EXACT),
    **dict.fromkeys(("fadd", "fsub", "fmul", "fdiv", "frem", "fneg"), FAST_MATH),
    **dict.fromkeys(("urem", "srem", "and", "xor"), _NONE),
    "or": _DISJOINT,
}
CAST_FLAGS: dict[str, dict[int, Flags]] = {
    **dict.fromkeys(CAST_OPCODES, _NONE),
    "trunc": _WRAP,
    "zext": _NON_NEGATIVE,
    "uitofp": _NON_NEGATIVE,
    "fptrunc": FAST_MATH,
    "fpext": FAST_MATH,
}


def _gep_flags() -> dict[int, Flags]:
    """inbounds (bit 0) implies nusw (bit 1), which is then not written."""
    table: dict[int, Flags] = {}
    for number in range(8):
        words = ["inbounds"] if number & 1 else ["nusw"] if number & 2 else []
        table[number] = (*words, *(["nuw"] if number & 4 else []))
    return table


GEP_FLAGS = _gep_flags()
