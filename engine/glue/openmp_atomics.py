"""Glue for atomic updates by call that capture, turn the operands round, or are of real numbers.

    __kmpc_atomic_float8_add(location, gtid, at, value)              *at += value
    __kmpc_atomic_float8_add_cpt(location, gtid, at, value, is_new)  ... and *at behind or before it
    __kmpc_atomic_fixed4_sub_rev(location, gtid, at, value)          *at = value - *at
    __kmpc_atomic_fixed4_mul_float8(location, gtid, at, value)       *at *= value, in double

Checks and a turn for other threads come first, in irsan_omp_atomic; nothing else runs between the
load and the store.  The plain ones of integers are kernels (interceptors/openmp/atomics.py).

Those of complex numbers are openmp_complex_atomics.py.

Source: LLVM's kmp_atomic.h for the names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from irsan.engine.glue.openmp_complex_atomics import complex_functions

PREFIX: Final = "__kmpc_atomic_"
_INTEGERS: Final = {f"fixed{n}": f"i{8 * n}" for n in (1, 2, 4, 8)}
_REALS: Final = {"float4": "float", "float8": "double", "float10": "x86_fp80"}
_PARTS: Final = {"i8": (1,), "i16": (2,), "i32": (4,), "i64": (8,), "float": (4,), "double": (8,),
                 "x86_fp80": (8, 2)}  # fmt: skip
_REAL_STEPS: Final = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
_STEPS: Final = {"add": "add", "sub": "sub", "mul": "mul", "div": "sdiv", "andb": "and",
                 "orb": "or", "xor": "xor", "neqv": "xor", "shl": "shl", "shr": "ashr"}  # fmt: skip
_UNSIGNED: Final = {"div": "udiv", "shr": "lshr"}
_COMPARED: Final = {"max": ("icmp slt", "fcmp olt"), "min": ("icmp sgt", "fcmp ogt")}
_TURNED: Final = ("sub", "div", "shl", "shr")
_INTEGER_WORDS: Final = (*_STEPS, "eqv", "andl", "orl", *_COMPARED)
_REAL_WORDS: Final = (*_REAL_STEPS, *_COMPARED)


@dataclass(frozen=True, slots=True)
class _Update:
    """One function: the type in memory, the operation's lines, what the value is."""

    name: str
    kind: str
    lines: tuple[str, ...]
    value: str
    captures: bool = False

    def text(self) -> str:
        result, flag = (self.kind, ", i32 %is.new") if self.captures else ("void", "")
        given = [
            "%wants = icmp ne i32 %is.new, 0",
            f"%r = select i1 %wants, {self.kind} %result, {self.kind} %old", f"ret {result} %r",
        ]  # fmt: skip
        return "\n".join([
            f"define {result} @__interceptor_{PREFIX}{self.name}(ptr %location, i32 %gtid, "
            f"ptr %at, {self.value} %value{flag}) uwtable {{",
            *_checks(self.kind), f"%old = load {self.kind}, ptr %at, align 1", *self.lines,
            f"store {self.kind} %result, ptr %at, align 1",
            *(given if self.captures else ["ret void"]), "}",
        ])  # fmt: skip


def atomic_functions() -> dict[str, str]:
    """The names, and the LLVM text that defines each."""
    made = {PREFIX + update.name: update.text() for update in _updates()}
    for family, kind in {**_INTEGERS, **_REALS}.items():
        made[f"{PREFIX}{family}_swp"] = _exchange(f"{family}_swp", kind)
    for family, kind in _REALS.items():
        made[f"{PREFIX}{family}_rd"] = _read(f"{family}_rd", kind)
    for name, text in complex_functions().items():
        made[PREFIX + name] = text
    return made


def _updates() -> Iterator[_Update]:
    for family, kind in _INTEGERS.items():
        for word in _INTEGER_WORDS:
            yield from _forms(family, kind, word, plain=word in ("eqv", "neqv"))
        for word in _UNSIGNED:
            yield from _forms(f"{family}u", kind, word, plain=False)
        yield from (_mixed(family, kind, word) for word in ("mul", "div"))
    for family, kind in _REALS.items():
        for word in _REAL_WORDS:
            yield from _forms(family, kind, word, plain=True)
        yield _Update(f"{family}_wr", kind, (f"%result = select i1 true, {kind} %value, "
                                             f"{kind} %old",), kind)  # fmt: skip
    yield from (_mixed("float4", "float", word) for word in _REAL_STEPS)


def _forms(family: str, kind: str, word: str, *, plain: bool) -> Iterator[_Update]:
    """An operation by itself, with a capture, and with its operands turned round."""
    name, lines = f"{family}_{word}", tuple(_operation(family, kind, word, "%old", "%value"))
    if plain:
        yield _Update(name, kind, lines, kind)
    yield _Update(f"{name}_cpt", kind, lines, kind, captures=True)
    if word in _TURNED:
        turned = tuple(_operation(family, kind, word, "%value", "%old"))
        yield _Update(f"{name}_rev", kind, turned, kind)
        yield _Update(f"{name}_cpt_rev", kind, turned, kind, captures=True)


def _operation(family: str, kind: str, word: str, left: str, right: str) -> list[str]:
    is_real = kind not in _INTEGERS.values()
    if word in _COMPARED:
        return [f"%takes = {_COMPARED[word][is_real]} {kind} {left}, {right}",
                f"%result = select i1 %takes, {kind} {right}, {kind} {left}"]  # fmt: skip
    if is_real:
        return [f"%result = {_REAL_STEPS[word]} {kind} {left}, {right}"]
    if word == "eqv":
        return [f"%other = xor {kind} {left}, {right}", f"%result = xor {kind} %other, -1"]
    if word in ("andl", "orl"):
        return [f"%l = icmp ne {kind} {left}, 0", f"%m = icmp ne {kind} {right}, 0",
                f"%n = {word[:-1]} i1 %l, %m", f"%result = zext i1 %n to {kind}"]  # fmt: skip
    step = _UNSIGNED[word] if family.endswith("u") else _STEPS[word]
    return [f"%result = {step} {kind} {left}, {right}"]


def _mixed(family: str, kind: str, word: str) -> _Update:
    """An update by a double, computed as one."""
    widen, narrow = ("fpext", "fptrunc") if kind == "float" else ("sitofp", "fptosi")
    lines = (f"%wide = {widen} {kind} %old to double",
             f"%sum = {_REAL_STEPS[word]} double %wide, %value",
             f"%result = {narrow} double %sum to {kind}")  # fmt: skip
    return _Update(f"{family}_{word}_float8", kind, lines, "double")


def _checks(kind: str) -> list[str]:
    lines, offset = [], 0
    for n_bytes in _PARTS[kind]:
        lines.append(f"%part{offset} = getelementptr i8, ptr %at, i64 {offset}")
        lines.append(f"call void @__interceptor_irsan_omp_atomic(ptr %part{offset}, i64 {n_bytes})")
        offset += n_bytes
    return lines


def _exchange(name: str, kind: str) -> str:
    return "\n".join([
        f"define {kind} @__interceptor_{PREFIX}{name}(ptr %location, i32 %gtid, ptr %at, "
        f"{kind} %value) uwtable {{",
        *_checks(kind), f"%old = load {kind}, ptr %at, align 1",
        f"store {kind} %value, ptr %at, align 1", f"ret {kind} %old", "}",
    ])  # fmt: skip


def _read(name: str, kind: str) -> str:
    checks = [line.replace("_omp_atomic(", "_omp_atomic_rd(") for line in _checks(kind)]
    return "\n".join([
        f"define {kind} @__interceptor_{PREFIX}{name}(ptr %location, i32 %gtid, ptr %at) "
        "uwtable {",
        *checks, f"%old = load {kind}, ptr %at, align 1", f"ret {kind} %old", "}",
    ])  # fmt: skip
