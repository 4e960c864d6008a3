"""The one table of the virtual machine's operations: how each is laid out, and what it does.

A code word has 64 bits:   operation 0..15 | field a 16..31 | field b 32..47 | field c 48..63

and `layout` says what its fields are, in that order:

    s   a register: slot number in the frame; `a`, `b`, `c` are then its address
    k   a signed 16-bit number, in `c`: `k`
    n   an unsigned 16-bit number, in `c`: `n`
    j   a jump in field c, signed, in words from the next operation: `k`
    J   a jump in fields b and c, signed 32 bits: `far`, in bytes
    o   a place in the frame or the pool, in bytes, in fields b and c: `place`
    r   a number of a request to the stub, in field a: `request`

`words` counts the words that follow.  `body` is Python for numba; it may use the names above,
`frame`, `pc` (behind this word) and the intrinsics of `intrinsics.py`.  A body that returns leaves
the machine with that number (`leaves`), or goes on in the native code at that address (`enters`).

Integers of up to 64 bits lie zero-extended in their slot, float in its lower half.  So equality,
unsigned comparison, `and`, `or`, `xor`, division and right shift of unsigned numbers are the same
for all widths; what else is narrower than 64 bits goes through `trunc` and `sext`, but for i32,
which has operations of its own.

Source: the LLVM Language Reference; the shape of the code is Lua 5's (Ierusalimschy et al., "The
Implementation of Lua 5.0", section 7).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Opcode:
    """One operation; its number is its place in `OPCODES`."""

    name: str
    layout: str
    body: str
    words: int = 0
    leaves: bool = False
    enters: bool = False


_X, _Y = "load_u64(b)", "load_u64(c)"
_SX, _SY = "i64(load_u64(b))", "i64(load_u64(c))"
_SX32, _SY32 = "sext32(load_u64(b))", "sext32(load_u64(c))"

_WORD = {
    "add": "{x} + {y}", "sub": "{x} - {y}", "mul": "{x} * {y}", "and": "{x} & {y}",
    "or": "{x} | {y}", "xor": "{x} ^ {y}", "shl": "{x} << {y}", "lshr": "{x} >> {y}",
}  # fmt: skip
_CUT_TO_32 = ("add", "sub", "mul", "shl")  # the others of _WORD leave 32 bits as 32 bits
_DIVISIONS = ("sdiv", "udiv", "srem", "urem")
_UNSIGNED = {"eq": "==", "ne": "!=", "ult": "<", "ule": "<="}
_SIGNED = {"slt": "<", "sle": "<="}
_FLOAT_ARITHMETIC = {"fadd": "+", "fsub": "-", "fmul": "*", "fdiv": "/"}
_FLOAT_PREDICATES = {
    "oeq": "x == y", "one": "x < y or y < x", "olt": "x < y", "ole": "x <= y",
    "ord": "x == x and y == y", "ueq": "not (x < y or y < x)", "une": "x != y",
    "ult": "not (y <= x)", "ule": "not (y < x)", "uno": "x != x or y != y",
}  # fmt: skip


def _integers() -> Iterator[Opcode]:
    for name, form in _WORD.items():
        result = form.format(x=_X, y=_Y)
        yield Opcode(f"{name}64", "sss", f"store_u64(a, {result})")
        yield Opcode(f"{name}64k", "ssk", f"store_u64(a, {form.format(x=_X, y='u64(k)')})")
        if name in _CUT_TO_32:
            yield Opcode(f"{name}32", "sss", f"store_u64(a, ({result}) & LOW32)")
            cut = f"({form.format(x=_X, y='u64(k)')}) & LOW32"
            yield Opcode(f"{name}32k", "ssk", f"store_u64(a, {cut})")
    yield Opcode("ashr64", "sss", f"store_u64(a, u64({_SX} >> {_SY}))")
    yield Opcode("ashr64k", "ssk", f"store_u64(a, u64({_SX} >> k))")
    yield Opcode("ashr32", "sss", f"store_u64(a, u64({_SX32} >> {_SY}) & LOW32)")
    yield Opcode("ashr32k", "ssk", f"store_u64(a, u64({_SX32} >> k) & LOW32)")
    for name in _DIVISIONS:
        yield Opcode(f"{name}64", "sss", f"store_u64(a, {name}_64({_X}, {_Y}))")
        cut = f"{name}_32(u32({_X}), u32({_Y}))"
        yield Opcode(f"{name}32", "sss", f"store_u64(a, u64({cut}))")
    yield Opcode("trunc", "ssn", f"store_u64(a, {_X} & (ALL_ONES >> (64 - n)))")
    yield Opcode("sext", "ssn", f"store_u64(a, u64(i64({_X} << (64 - n)) >> i64(64 - n)))")
    yield Opcode("mov", "ss", f"store_u64(a, {_X})")
    yield Opcode("copy", "ssn", "copy_words(a, b, n)")


def _comparisons() -> Iterator[Opcode]:
    for name, sign in _UNSIGNED.items():
        yield Opcode(f"i{name}", "sss", f"store_u64(a, u64({_X} {sign} {_Y}))")
        yield Opcode(f"j{name}", "ssj", f"pc += jump(load_u64(a) {sign} {_X}, k)")
    for name, sign in _SIGNED.items():
        yield Opcode(f"i{name}64", "sss", f"store_u64(a, u64({_SX} {sign} {_SY}))")
        yield Opcode(f"j{name}64", "ssj", f"pc += jump(i64(load_u64(a)) {sign} {_SX}, k)")
        yield Opcode(f"i{name}32", "sss", f"store_u64(a, u64({_SX32} {sign} {_SY32}))")
        yield Opcode(f"j{name}32", "ssj", f"pc += jump(sext32(load_u64(a)) {sign} {_SX32}, k)")
    chosen = f"{_X} if load_u64(a) != 0 else {_Y}"
    yield Opcode("sel", "sss", f"chosen = {chosen}; store_u64(frame + load_u64(pc), chosen)"
                 "; pc += 8", words=1)  # fmt: skip


def _floats() -> Iterator[Opcode]:
    for bits, word in (("64", ""), ("32", "u32")):
        x, y = f"bits_to_f{bits}({word}({_X}))", f"bits_to_f{bits}({word}({_Y}))"
        put = f"store_u64(a, u64(f{bits}_to_bits({{value}})))"
        for name, sign in _FLOAT_ARITHMETIC.items():
            yield Opcode(f"{name}{bits}", "sss", put.format(value=f"{x} {sign} {y}"))
        z = f"bits_to_f{bits}({word}(load_u64(frame + load_u64(pc))))"
        added = f"sum = {x} * {y} + {z}; {put.format(value='sum')}; pc += 8"
        yield Opcode(f"fmuladd{bits}", "sss", added, words=1)
        yield Opcode(f"fneg{bits}", "ss", f"store_u64(a, {_X} ^ SIGN{bits})")
        for name, test in _FLOAT_PREDICATES.items():
            body = f"x = f64({x}); y = f64({y}); store_u64(a, u64({test}))"
            yield Opcode(f"f{name}{bits}", "sss", body)
        yield Opcode(f"f{bits}_to_i32", "ss", f"store_u64(a, u64(u32(i32({x}))))")
        yield Opcode(f"f{bits}_to_i64", "ss", f"store_u64(a, u64(i64({x})))")
        for name, value in (("i32", _SX32), ("i64", _SX)):
            yield Opcode(f"{name}_to_f{bits}", "ss", put.format(value=f"f{bits}({value})"))
        other = "32" if bits == "64" else "64"
        source = f"bits_to_f{other}({'u32' if other == '32' else ''}({_X}))"
        resized = put.format(value=f"f{bits}({source})")
        yield Opcode(f"f{other}_to_f{bits}", "ss", resized)


def _memory() -> Iterator[Opcode]:
    scaled = "load_u64(b) + {index} * load_u64(pc) + load_u64(pc + 8); pc += 16"
    for bits in ("8", "16", "32", "64"):
        yield Opcode(f"ld{bits}", "ssk", f"store_u64(a, u64(load_u{bits}(load_u64(b) + u64(k))))")
        value = f"u{bits}(load_u64(a))"
        yield Opcode(f"st{bits}", "ssk", f"store_u{bits}(load_u64(b) + u64(k), {value})")
        indexed = f"address = {scaled.format(index=_Y)}"
        stored = f"store_u64(a, u64(load_u{bits}(address)))"
        yield Opcode(f"ldx{bits}", "sss", f"{indexed}; {stored}", words=2)
        stored = f"store_u{bits}(address, {value})"
        yield Opcode(f"stx{bits}", "sss", f"{indexed}; {stored}", words=2)
        yield Opcode(f"fld{bits}", "so", f"store_u64(a, u64(load_u{bits}(frame + place)))")
        yield Opcode(f"fst{bits}", "so", f"store_u{bits}(frame + place, {value})")
    yield Opcode("ldn", "ssn", "copy_bytes(a, load_u64(b), n)")
    yield Opcode("stn", "ssn", "copy_bytes(load_u64(b), a, n)")
    yield Opcode("fcopy", "so", "copy_bytes(a, frame + place, load_u64(pc)); pc += 8", words=1)
    yield Opcode("fput", "so", "copy_bytes(frame + place, a, load_u64(pc)); pc += 8", words=1)
    for name, index in (("gep64", _Y), ("gep32", f"u64({_SY32})")):
        body = f"address = {scaled.format(index=index)}; store_u64(a, address)"
        yield Opcode(name, "sss", body, words=2)


def _control() -> Iterator[Opcode]:
    yield Opcode("jmp", "-J", "pc += far")
    yield Opcode("jnz", "sJ", "pc += far if load_u64(a) != 0 else u64(0)")
    yield Opcode("jz", "sJ", "pc += far if load_u64(a) == 0 else u64(0)")
    yield Opcode("ijmp", "s", "pc = load_u64(a)")
    yield Opcode("table", "so", "pc = table_target(load_u64(a), pc, place)")
    yield Opcode("search", "so", "pc = search_target(load_u64(a), pc, place)")
    yield Opcode("call", "-o", "return load_u64(load_u64(frame) + place)", enters=True)
    yield Opcode("request", "r", "return request", leaves=True)
    yield Opcode("ret", "", "return 0", leaves=True)


OPCODES: Final[tuple[Opcode, ...]] = (
    *_integers(), *_comparisons(), *_floats(), *_memory(), *_control(),
)  # fmt: skip
NUMBERS: Final[dict[str, int]] = {opcode.name: n for n, opcode in enumerate(OPCODES)}
