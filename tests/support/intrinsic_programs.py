"""Cases for the intrinsics that front ends and optimisers leave in a program, one call each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from tests.support.instruction_programs import Case

_INTEGERS: Final = ("i8", "i32", "i64", "<3 x i16>", "i128")
_UNARY: Final = ("ctpop", "bswap", "bitreverse")
_WITH_FLAG: Final = ("ctlz", "cttz", "abs")
_BINARY: Final = (
    "smax", "smin", "umax", "umin", "sadd.sat", "uadd.sat", "ssub.sat", "usub.sat", "sshl.sat",
    "ushl.sat",
)  # fmt: skip
_COMPARED: Final = ("scmp", "ucmp")
_OVERFLOWING: Final = (
    "sadd.with.overflow", "uadd.with.overflow", "ssub.with.overflow", "usub.with.overflow",
    "smul.with.overflow", "umul.with.overflow",
)  # fmt: skip
_FIXED_POINT: Final = ("smul.fix", "umul.fix", "smul.fix.sat", "umul.fix.sat")
_FLOAT_UNARY: Final = (
    "fabs", "sqrt", "floor", "ceil", "trunc", "rint", "nearbyint", "round", "roundeven",
    "canonicalize", "sin", "cos", "exp", "exp2", "log", "log2", "log10", "tan", "asin", "acos",
    "atan", "sinh", "cosh", "tanh", "exp10",
)  # fmt: skip
_FLOAT_BINARY: Final = (
    "minnum", "maxnum", "minimum", "maximum", "copysign", "pow", "atan2", "minimumnum",
    "maximumnum",
)  # fmt: skip
_ROUNDED: Final = ("lround", "llround", "lrint", "llrint")
_REDUCTIONS: Final = ("add", "mul", "and", "or", "xor", "smax", "smin", "umax", "umin")
_CONSTRAINED: Final = ("fadd", "fsub", "fmul", "fdiv", "frem")


def intrinsic_integer_cases() -> Iterator[Case]:
    """Bits, bounds, saturation, overflow, fixed point, reductions."""
    for kind in _INTEGERS:
        left, right = _number(kind, -77), _number(kind, 5)
        pair = ((kind, left), (kind, right))
        same = ((kind, left), (kind, left))
        for name in _UNARY:
            if name != "bswap" or kind != "i8":
                yield _call(name, kind, pair[:1])
        for name in _WITH_FLAG:
            yield _call(name, kind, pair[:1], "i1 false")
        for name, operands in product(_BINARY, (pair, same)):
            is_shift = name.endswith("shl.sat")
            if not (is_shift and operands is same):
                yield _call(name, kind, operands)
        for name in ("fshl", "fshr"):
            yield _call(name, kind, (*pair, (kind, _number(kind, 3))))
        if kind[0] != "<":
            for name in _COMPARED:
                call = _text(f"llvm.{name}.i8.{kind}", "i8", pair)
                yield Case(call, "i8", pair)
        for name, operands in product(_OVERFLOWING, (pair, same)):
            flag = kind.replace("i16", "i1") if kind[0] == "<" else "i1"
            result = f"{{{kind}, {flag}}}"
            yield Case(_text(f"llvm.{name}.{_mangled(kind)}", result, operands), result, operands)
        if kind in ("i32", "i64"):
            for name in _FIXED_POINT:
                yield _call(name, kind, pair, "i32 3")
    vector = "<4 x i32>"
    value = "<i32 7, i32 -9, i32 12, i32 100>"
    for name in _REDUCTIONS:
        operand = ((vector, value),)
        yield Case(_text(f"llvm.vector.reduce.{name}.v4i32", "i32", operand), "i32", operand)
    for call, result, operands in _PLAIN:
        yield Case(call, result, operands)


def intrinsic_float_cases() -> Iterator[Case]:
    """Rounding, bounds, elementary functions, classes, exact and saturating conversion."""
    for kind, (a, b) in (
        ("float", ("0.75", "-0.25")), ("double", ("0.75", "-0.25")),
        ("x86_fp80", ("0xK3FFEC000000000000000", "0xKBFFD8000000000000000")),
        ("<2 x double>", ("<double 0.75, double 0.5>", "<double -0.25, double 2.0>")),
    ):  # fmt: skip
        is_vector, is_long = kind[0] == "<", kind == "x86_fp80"
        for name in _FLOAT_UNARY[:8] if is_long else _FLOAT_UNARY:
            yield _call(name, kind, ((kind, a),))
        for name in _FLOAT_BINARY:
            is_known = not is_long and not (is_vector and "imumnum" in name)
            if is_known or name in ("copysign", "minnum", "maxnum", "pow"):
                yield _call(name, kind, ((kind, a), (kind, b)))
        yield _call("fma", kind, ((kind, a), (kind, b), (kind, a)))
        yield _call("fmuladd", kind, ((kind, a), (kind, b), (kind, a)))
        if is_vector:
            continue
        for name in _ROUNDED:
            yield Case(_text(f"llvm.{name}.i64.{_mangled(kind)}", "i64", ((kind, a),)), "i64",
                       ((kind, a),))  # fmt: skip
        for mask in (3, 64, 264, 1020):
            name = f"llvm.is.fpclass.{_mangled(kind)}"
            call = f"call i1 @{name}({kind} {{0}}, i32 {mask})"
            yield Case(call, "i1", ((kind, a),))
        powi = f"llvm.powi.{_mangled(kind)}.i32"
        yield Case(_text(powi, kind, ((kind, a), ("i32", "3"))), kind, ((kind, a), ("i32", "3")))
        if not is_long:
            for sign, width in product("su", (8, 32, 64)):
                name = f"llvm.fpto{sign}i.sat.i{width}.{_mangled(kind)}"
                yield Case(_text(name, f"i{width}", ((kind, b),)), f"i{width}", ((kind, b),))
            result = f"{{{kind}, i32}}"
            name = f"llvm.frexp.{_mangled(kind)}.i32"
            yield Case(_text(name, result, ((kind, a),)), result, ((kind, a),))
            operands = ((kind, a), ("i32", "4"))
            yield Case(_text(f"llvm.ldexp.{_mangled(kind)}.i32", kind, operands), kind, operands)
            for name in ("fadd", "fmul"):
                four = f"<4 x {kind}>"
                values = f"<{kind} 1.0, {kind} 2.5, {kind} -3.0, {kind} 4.0>"
                operands = ((kind, a), (four, values))
                name = f"llvm.vector.reduce.{name}.v4{_mangled(kind)}"
                yield Case(_text(name, kind, operands), kind, operands)


def intrinsic_special_cases() -> Iterator[Case]:
    """Zeros of both signs, infinities and NaNs as operands."""
    nan = "0x7FF8000000000000"
    infinity = "0x7FF0000000000000"
    for kind, name in product(("float", "double"), ("minimum", "maximum", "copysign")):
        for a, b in product(("0.0", "-0.0", "1.0", nan, infinity), repeat=2):
            if name == "copysign" or nan not in (a, b) or a != b:
                yield _call(name, kind, ((kind, a), (kind, b)))
    for kind, name in product(("float", "double"), ("minnum", "maxnum")):
        for a, b in ((nan, "1.0"), ("1.0", nan), (infinity, "-1.0"), ("-1.0", "-2.0")):
            yield _call(name, kind, ((kind, a), (kind, b)))
    for kind, name in product(("float", "double"), ("fabs", "sqrt", "floor", "rint", "trunc")):
        for a in ("-0.0", "0.5", "2.5", infinity):
            yield _call(name, kind, ((kind, a),))
    for kind in ("float", "double"):
        for sign, width, a in product("su", (8, 32, 64), (nan, infinity, "-300.5", "1.0e10")):
            if a != "1.0e10" or kind == "double":
                name = f"llvm.fpto{sign}i.sat.i{width}.{_mangled(kind)}"
                yield Case(_text(name, f"i{width}", ((kind, a),)), f"i{width}", ((kind, a),))


# What needs operands of several types; every name is in the tests that list what is covered.
_FOUR = ("<4 x i32>", "<i32 1, i32 2, i32 3, i32 4>")
_OTHER_FOUR = ("<4 x i32>", "<i32 9, i32 8, i32 7, i32 6>")
_MASK = ("<4 x i1>", "<i1 true, i1 false, i1 true, i1 true>")
_PLAIN: Final[Sequence[tuple[str, str, tuple[tuple[str, str], ...]]]] = (
    ("call i32 @llvm.expect.i32(i32 {0}, i32 {1})", "i32", (("i32", "3"), ("i32", "4"))),
    ("call i32 @llvm.annotation.i32.p0(i32 {0}, ptr {1}, ptr {1}, i32 {2})", "i32",
     (("i32", "3"), ("ptr", "null"), ("i32", "4"))),
    ("call i1 @llvm.is.constant.i32(i32 {0})", "i1", (("i32", "8"),)),
    ("call double @llvm.arithmetic.fence.f64(double {0})", "double", (("double", "2.5"),)),
    ("call <4 x i32> @llvm.vector.reverse.v4i32(<4 x i32> {0})", "<4 x i32>", (_FOUR,)),
    ("call <4 x i1> @llvm.get.active.lane.mask.v4i1.i32(i32 {0}, i32 {1})", "<4 x i1>",
     (("i32", "2"), ("i32", "5"))),
    ("call <8 x i32> @llvm.vector.interleave2.v8i32(<4 x i32> {0}, <4 x i32> {1})", "<8 x i32>",
     (_FOUR, _OTHER_FOUR)),
    ("call <2 x i32> @llvm.vector.extract.v2i32.v4i32(<4 x i32> {0}, i64 2)", "<2 x i32>",
     (_FOUR,)),
    ("call <4 x i32> @llvm.vector.splice.v4i32(<4 x i32> {0}, <4 x i32> {1}, i32 2)", "<4 x i32>",
     (_FOUR, _OTHER_FOUR)),
    ("call <4 x i32> @llvm.masked.load.v4i32.p0(ptr {0}, i32 4, <4 x i1> {1}, <4 x i32> {2})",
     "<4 x i32>", (("ptr", "@room"), _MASK, _FOUR)),
    ("call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> {0}, i32 4, <4 x i1> {1}, "
     "<4 x i32> {2})", "<4 x i32>",
     (("<4 x ptr>", "<ptr @room, ptr null, ptr @room, ptr @room>"), _MASK, _FOUR)),
    ("call <4 x i32> @llvm.masked.expandload.v4i32.p0(ptr {0}, <4 x i1> {1}, <4 x i32> {2})",
     "<4 x i32>", (("ptr", "@room"), _MASK, _FOUR)),
    ("call double @llvm.experimental.constrained.fadd.f64(double {0}, double {1}, "
     'metadata !"round.dynamic", metadata !"fpexcept.strict")', "double",
     (("double", "1.5"), ("double", "0.25"))),
    ("call i32 @llvm.get.rounding()", "i32", ()),
)  # fmt: skip


def _call(name: str, kind: str, operands: Sequence[tuple[str, str]], more: str = "") -> Case:
    text = _text(f"llvm.{name}.{_mangled(kind)}", kind, operands, more)
    return Case(text, kind, tuple(operands))


def _text(name: str, result: str, operands: Sequence[tuple[str, str]], more: str = "") -> str:
    given = [f"{kind} {{{number}}}" for number, (kind, _) in enumerate(operands)]
    given += [more] if more else []
    braced = result.replace("{", "{{").replace("}", "}}")
    return f"call {braced} @{name}({', '.join(given)})"


def _mangled(kind: str) -> str:
    if kind[0] == "<":
        count, _, element = kind[1:-1].partition(" x ")
        return f"v{count}{_mangled(element)}"
    return {"float": "f32", "double": "f64", "x86_fp80": "f80", "half": "f16"}.get(kind, kind)


def _number(kind: str, value: int) -> str:
    if kind[0] != "<":
        return str(value)
    count, _, element = kind[1:-1].partition(" x ")
    return f"<{', '.join([f'{element} {value + n}' for n in range(int(count))])}>"
