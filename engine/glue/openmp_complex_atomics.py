"""Glue for atomic updates of complex numbers by call: openmp_atomics.py for pairs of reals.

    __kmpc_atomic_cmplx8_mul(location, gtid, at, value)              *at *= value
    __kmpc_atomic_cmplx8_mul_cpt(location, gtid, at, value, is_new)  ... and *at behind or before it
    __kmpc_atomic_cmplx4_mul_cpt(..., value, out, is_new)            ... at `out`
    __kmpc_atomic_cmplx4_add_cmplx8(location, gtid, at, value)       *at += value, in doubles

The calling convention is that of x86-64 for C: two floats are a vector, two doubles are two
arguments, two long doubles lie in memory.  Products and quotients are the C library's.

Source: LLVM's kmp_atomic.h for the names; the System V ABI, section 3.2.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_STEPS: Final = {"add": "fadd", "sub": "fsub", "mul": "mul", "div": "div"}
_TURNED: Final = ("sub", "div")


@dataclass(frozen=True, slots=True)
class _Pair:
    """How a complex number is passed and returned.

    real: the type of a part; offset_bytes: from the first to the second; sizes_bytes: the pieces of
    a part that are checked, each at most 8.
    given: parameters, and the lines that make %y.re and %y.im of them.
    """

    real: str
    mode: str
    offset_bytes: int
    sizes_bytes: tuple[int, ...]
    returned: str
    given: str
    taken: tuple[str, ...]


_PAIRS: Final = {
    "cmplx4": _Pair(
        "float", "s", 4, (4,), "<2 x float>", "<2 x float> %y",
        tuple(f"%y.{part} = extractelement <2 x float> %y, i32 {i}"
              for i, part in enumerate(("re", "im"))),
    ),
    "cmplx8": _Pair("double", "d", 8, (8,), "{ double, double }", "double %y.re, double %y.im", ()),
    "cmplx10": _Pair(
        "x86_fp80", "x", 16, (8, 2), "{ x86_fp80, x86_fp80 }",
        "ptr byval({ x86_fp80, x86_fp80 }) align 16 %y",
        ("%y.re = load x86_fp80, ptr %y, align 16",
         "%y.second = getelementptr i8, ptr %y, i64 16",
         "%y.im = load x86_fp80, ptr %y.second, align 16"),
    ),
}  # fmt: skip


def complex_functions() -> dict[str, str]:
    """The names behind `__kmpc_atomic_`, and the LLVM text that defines each."""
    return dict(_functions())


def complex_declarations() -> str:
    """Products and quotients, which the C compiler's library has."""
    return "\n".join(
        f"declare {pair.returned} @__{word}{pair.mode}c3({', '.join([pair.real] * 4)})"
        for pair in _PAIRS.values()
        for word in ("mul", "div")
    )


def _functions() -> Iterator[tuple[str, str]]:
    for family, pair in _PAIRS.items():
        yield f"{family}_rd", _read(f"{family}_rd", pair)
        yield f"{family}_wr", _update(f"{family}_wr", pair, [], "", stored="y")
        yield f"{family}_swp", _update(f"{family}_swp", pair, [], "x", stored="y")
        for word in _STEPS:
            for turned in ("", "_rev") if word in _TURNED else ("",):
                left, right = ("y", "x") if turned else ("x", "y")
                lines = _operation(pair, word, left, right)
                yield (
                    f"{family}_{word}{turned}",
                    _update(f"{family}_{word}{turned}", pair, lines, ""),
                )
                name = f"{family}_{word}_cpt{turned}"
                yield name, _update(name, pair, lines, "r")
    for word in _STEPS:
        yield f"cmplx4_{word}_cmplx8", _mixed(f"cmplx4_{word}_cmplx8", word)


def _operation(pair: _Pair, word: str, left: str, right: str) -> list[str]:
    """Lines that make %z.re and %z.im of two numbers."""
    real, step = pair.real, _STEPS[word]
    if step.startswith("f"):
        return [f"%z.{part} = {step} {real} %{left}.{part}, %{right}.{part}"
                for part in ("re", "im")]  # fmt: skip
    values = ", ".join(f"{real} %{one}.{part}" for one in (left, right) for part in ("re", "im"))
    take = "extractelement" if pair.mode == "s" else "extractvalue"
    index = "i32 " if pair.mode == "s" else ""
    return [f"%z = call {pair.returned} @__{step}{pair.mode}c3({values})",
            *(f"%z.{part} = {take} {pair.returned} %z, {index}{i}"
              for i, part in enumerate(("re", "im")))]  # fmt: skip


def _mixed(name: str, word: str) -> str:
    """A pair of floats updated by a pair of doubles, computed as one."""
    narrow, wide = _PAIRS["cmplx4"], _PAIRS["cmplx8"]
    lines = [
        *(f"%w.{part} = fpext float %x.{part} to double" for part in ("re", "im")),
        *(line.replace("%z", "%v") for line in _operation(wide, word, "w", "y")),
        *(f"%z.{part} = fptrunc double %v.{part} to float" for part in ("re", "im")),
    ]
    return _definition(name, "void", wide.given, [
        *_checks(narrow, "rmw"), *_loaded(narrow), *lines, *_stored(narrow, "z", "%at"), "ret void",
    ])  # fmt: skip


def _update(name: str, pair: _Pair, lines: list[str], gives: str, stored: str = "z") -> str:
    """An update that gives nothing (""), the old value x, or r, which a flag chooses."""
    by_address = gives and pair.mode == "s"  # two floats are given at an address
    more = f"{', ptr %out' if by_address else ''}{', i32 %is.new' if gives == 'r' else ''}"
    lines = [*pair.taken, *_checks(pair, "rmw"), *_loaded(pair), *lines,
             *_stored(pair, stored, "%at"), *(_chosen(pair) if gives == "r" else [])]  # fmt: skip
    if not gives or by_address:
        given = _stored(pair, gives, "%out") if gives else []
        return _definition(name, "void", f"{pair.given}{more}", [*lines, *given, "ret void"])
    returned = [*lines, *_returned(pair, gives)]
    return _definition(name, pair.returned, f"{pair.given}{more}", returned)


def _read(name: str, pair: _Pair) -> str:
    return _definition(
        name, pair.returned, "", [*_checks(pair, "rd"), *_loaded(pair), *_returned(pair, "x")]
    )


def _definition(name: str, returned: str, given: str, lines: list[str]) -> str:
    head = (f"define {returned} @__interceptor___kmpc_atomic_{name}(ptr %location, i32 %gtid, "
            f"ptr %at{', ' if given else ''}{given}) uwtable {{")  # fmt: skip
    second = (
        f"%at.im = getelementptr i8, ptr %at, i64 {_PAIRS[name.partition('_')[0]].offset_bytes}"
    )
    return "\n".join([head, second, *lines, "}"])


def _checks(pair: _Pair, what: str) -> list[str]:
    """Each piece is checked, and other threads may have a turn before it."""
    call = "irsan_omp_atomic_rd" if what == "rd" else "irsan_omp_atomic"
    lines = []
    for begin in (0, pair.offset_bytes):
        offset = begin
        for n_bytes in pair.sizes_bytes:
            lines.append(f"%part{offset} = getelementptr i8, ptr %at, i64 {offset}")
            lines.append(f"call void @__interceptor_{call}(ptr %part{offset}, i64 {n_bytes})")
            offset += n_bytes
    return lines


def _loaded(pair: _Pair) -> list[str]:
    return [f"%x.re = load {pair.real}, ptr %at, align 1",
            f"%x.im = load {pair.real}, ptr %at.im, align 1"]  # fmt: skip


def _stored(pair: _Pair, what: str, at: str) -> list[str]:
    """Lines that write a number; %at has its second part's address, others get one."""
    lines = []
    if at != "%at":
        lines = [f"{at}.im = getelementptr i8, ptr {at}, i64 {pair.offset_bytes}"]
    return [*lines, f"store {pair.real} %{what}.re, ptr {at}, align 1",
            f"store {pair.real} %{what}.im, ptr {at}.im, align 1"]  # fmt: skip


def _chosen(pair: _Pair) -> list[str]:
    return ["%wants = icmp ne i32 %is.new, 0",
            *(f"%r.{part} = select i1 %wants, {pair.real} %z.{part}, {pair.real} %x.{part}"
              for part in ("re", "im"))]  # fmt: skip


def _returned(pair: _Pair, what: str) -> list[str]:
    kind, real = pair.returned, pair.real
    if pair.mode == "s":
        return [f"%first = insertelement {kind} poison, {real} %{what}.re, i32 0",
                f"%both = insertelement {kind} %first, {real} %{what}.im, i32 1",
                f"ret {kind} %both"]  # fmt: skip
    return [f"%first = insertvalue {kind} poison, {real} %{what}.re, 0",
            f"%both = insertvalue {kind} %first, {real} %{what}.im, 1",
            f"ret {kind} %both"]  # fmt: skip
