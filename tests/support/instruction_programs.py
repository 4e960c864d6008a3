"""Programs in LLVM assembly that execute instructions one by one and print the bytes of results.

    Case("add i13 {0}, {1}", "i13", (("i13", "-5"), ("i13", "7")))

`{n}` stands for operand n, which is read from a variable, so that nothing is folded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from tests.support.room_text import room_text, show_text

_ROOM_BYTES: Final = 64
_CASES_PER_FUNCTION: Final = 40
_HEAD: Final = room_text(_ROOM_BYTES) + show_text(_ROOM_BYTES)


@dataclass(frozen=True, slots=True)
class Case:
    """One instruction: its text, the type of its result, and (type, value) of its operands."""

    text: str
    result: str
    operands: tuple[tuple[str, str], ...]

    @property
    def declaration(self) -> str:
        """The declaration of the function that the instruction calls, or nothing."""
        found = _CALL.match(self.text.replace("{{", "{").replace("}}", "}"))
        if found is None:
            return ""
        kinds = ", ".join(_KIND.findall(found["operands"]))
        return f"declare {self.result} @{found['name']}({kinds})"


def _stored(index: int, result: str) -> Iterator[str]:
    """The result in the room; members one by one, as what is between them is anything."""
    if result[0] != "{":
        yield f"  store {result} %r{index}, ptr @room"
        return
    for number, kind in enumerate(re.findall(r"<[^>]+>|\w+", result)):
        yield f"  %m{index}.{number} = extractvalue {result} %r{index}, {number}"
        place = f"getelementptr (i8, ptr @room, i64 {32 * number})"
        yield f"  store {kind} %m{index}.{number}, ptr {place}"


_CALL: Final = re.compile(r"call .* @(?P<name>[\w.]+)\((?P<operands>.*)\)$")
_KIND: Final = re.compile(r"(<[^>]+>|\w+) (?:\{\d\}|[\w!\"]+[.\w\"]*)(?:, |$)")


def program(cases: Sequence[Case], head: str = "") -> str:
    """Assembly whose main executes all cases in order, one line of output each."""
    lines = [_HEAD, head, *dict.fromkeys(case.declaration for case in cases)]
    variables: dict[tuple[str, str], str] = {}
    for case in cases:
        for operand in case.operands:
            variables.setdefault(operand, f"@v{len(variables)}")
    lines += [f"{name} = global {kind} {value}" for (kind, value), name in variables.items()]
    parts = range(0, len(cases), _CASES_PER_FUNCTION)
    for part in parts:
        lines.append(f"define void @t{part}() {{")
        for index, case in enumerate(cases[part : part + _CASES_PER_FUNCTION]):
            lines += _executed(index, case, variables)
        lines += ["  ret void", "}"]
    calls = [f"  call void @t{part}()" for part in parts]
    return "\n".join([*lines, "define i32 @main() {", *calls, "  ret i32 0", "}", ""])


def _executed(index: int, case: Case, variables: dict[tuple[str, str], str]) -> Iterator[str]:
    names = [f"%a{index}.{number}" for number in range(len(case.operands))]
    for name, operand in zip(names, case.operands, strict=True):
        yield f"  {name} = load {operand[0]}, ptr {variables[operand]}"
    yield f"  %r{index} = {case.text.format(*names)}"
    yield from _stored(index, case.result)
    yield "  call void @show(i1 true)"


_ARITHMETIC: Final = ("add", "sub", "mul", "and", "or", "xor")
_DIVISIONS: Final = ("udiv", "sdiv", "urem", "srem")
_SHIFTS: Final = ("shl", "lshr", "ashr")
_PREDICATES: Final = ("eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle")
_FLOAT_PREDICATES: Final = (
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
    "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true",
)  # fmt: skip
WIDTHS: Final = (1, 3, 8, 13, 16, 24, 32, 33, 48, 64, 65, 128, 200)
FLOATS: Final = {
    "half": ("0xHC500", "0xH3E00"), "bfloat": ("0xRC0A0", "0xR3FC0"), "float": ("-5.0", "1.5"),
    "double": ("-5.0", "1.5"), "x86_fp80": ("0xKC001A000000000000000", "0xK3FFFC000000000000000"),
    "fp128": ("0xL0000000000000000C001400000000000", "0xL00000000000000003FFF800000000000"),
}  # fmt: skip
_NANS: Final = {
    "half": "0xH7E00", "bfloat": "0xR7FC0", "float": "0x7FF8000000000000",
    "double": "0x7FF8000000000000", "x86_fp80": "0xK7FFFC000000000000000",
    "fp128": "0xL00000000000000007FFF800000000000",
}  # fmt: skip


_FOUR_FLOATS: Final = "<float 1.0, float 2.0, float 3.0, float 4.0>"
_BITCASTS: Final = (
    ("<4 x i8>", "i32", "<i8 1, i8 2, i8 3, i8 -4>"), ("i64", "<2 x i32>", "-81985529216486896"),
    ("<2 x float>", "double", "<float 1.5, float -2.0>"), ("half", "i16", "0xHC500"),
    ("<8 x i1>", "i8", "<i1 1, i1 0, i1 0, i1 1, i1 1, i1 1, i1 0, i1 1>"),
    ("i24", "<3 x i8>", "-70000"), ("<4 x float>", "i128", _FOUR_FLOATS),
    ("i80", "x86_fp80", "302231454903657293676544"), ("fp128", "<2 x i64>", FLOATS["fp128"][0]),
    ("float", "i32", "-5.0"), ("i64", "double", "4617315517961601024"),
)  # fmt: skip


def pointer_cases() -> Iterator[Case]:
    """Conversions of pointers."""
    place = (("ptr", "getelementptr (i8, ptr @room, i64 3)"),)
    for width in (16, 64, 128):
        kind = f"i{width}"
        yield Case(f"ptrtoint ptr {{0}} to {kind}", kind, (("ptr", "inttoptr (i64 -77 to ptr)"),))
        yield Case(f"inttoptr {kind} {{0}} to ptr", "ptr", ((kind, "-77"),))
    yield Case("ptrtoaddr ptr {0} to i64", "i64", (("ptr", "inttoptr (i64 -5 to ptr)"),))
    yield Case("addrspacecast ptr {0} to ptr addrspace(1)", "ptr addrspace(1)",
               (("ptr", "inttoptr (i64 4096 to ptr)"),))  # fmt: skip
    yield Case("load i8, ptr {0}", "i8", place)
    two = "<2 x ptr>"
    both = "<ptr inttoptr (i64 7 to ptr), ptr inttoptr (i64 9 to ptr)>"
    yield Case(f"getelementptr i32, {two} {{0}}, i64 {{1}}", two, ((two, both), ("i64", "-2")))
    yield Case(f"icmp ult {two} {{0}}, {{1}}", "<2 x i1>", ((two, both), (two, both)))
    yield Case("getelementptr i16, ptr {0}, <2 x i8> {1}", two,
               (("ptr", "inttoptr (i64 64 to ptr)"), ("<2 x i8>", "<i8 -1, i8 3>")))  # fmt: skip


def integer_cases() -> Iterator[Case]:
    """Arithmetic, comparison and conversion of integers of all kinds of widths."""
    for width in WIDTHS:
        kind = f"i{width}"
        left, right = _signed(0xB7A5_93C1_7B35_D24F_9E86_6A5D, width), _signed(0x6D3, width) or 1
        yield from _binary(_ARITHMETIC, kind, str(left), str(right))
        yield from _binary(_ARITHMETIC, kind, str(left), str(left))
        if width > 1:
            yield from _binary(_DIVISIONS, kind, str(left), str(right))
            yield from _binary(_SHIFTS, kind, str(left), str(min(width - 1, 9)))
        for predicate, (x, y) in product(_PREDICATES, ((left, right), (right, left), (1, 1))):
            yield Case(
                f"icmp {predicate} {kind} {{0}}, {{1}}", "i1", ((kind, str(x)), (kind, str(y)))
            )
    for narrow, wide in product(WIDTHS, WIDTHS):
        if narrow < wide:
            small, big = str(_signed(0x5A5A_5A5A_5A5A_5A5A_5A5D, narrow)), str(_signed(-3, wide))
            for cast in ("zext", "sext"):
                yield Case(f"{cast} i{narrow} {{0}} to i{wide}", f"i{wide}",
                           ((f"i{narrow}", small),))  # fmt: skip
            yield Case(f"trunc i{wide} {{0}} to i{narrow}", f"i{narrow}", ((f"i{wide}", big),))


def float_cases() -> Iterator[Case]:
    """Arithmetic, comparison and conversion of floating point of all kinds."""
    order = list(FLOATS)
    for kind in order:
        left, right = FLOATS[kind]
        yield from _binary(("fadd", "fsub", "fmul", "fdiv", "frem"), kind, left, right)
        yield Case(f"fneg {kind} {{0}}", kind, ((kind, left),))
        pairs = ((left, right), (right, left), (left, left), (_NANS[kind], left))
        for predicate, (x, y) in product(_FLOAT_PREDICATES, pairs):
            yield Case(f"fcmp {predicate} {kind} {{0}}, {{1}}", "i1", ((kind, x), (kind, y)))
        for width in (8, 13, 16, 32, 64, 128):
            yield Case(f"fptosi {kind} {{0}} to i{width}", f"i{width}", ((kind, left),))
            yield Case(f"fptoui {kind} {{0}} to i{width}", f"i{width}", ((kind, right),))
            for cast in ("sitofp", "uitofp"):
                yield Case(f"{cast} i{width} {{0}} to {kind}", kind, ((f"i{width}", "-100"),))
    for small, big in product(order, order):
        if _bits(small) < _bits(big):
            yield Case(f"fpext {small} {{0}} to {big}", big, ((small, FLOATS[small][0]),))
            yield Case(f"fptrunc {big} {{0}} to {small}", small, ((big, FLOATS[big][0]),))


def vector_cases() -> Iterator[Case]:
    """Instructions on vectors, odd counts and widths among them."""
    shapes = ((3, "i8"), (4, "i32"), (2, "i64"), (5, "i13"), (8, "i1"), (2, "i128"), (17, "i16"))
    for count, element in shapes:
        kind = f"<{count} x {element}>"
        low = "true" if element == "i1" else "1"
        left = _vector(element, [str(_signed(37 * n - 60, int(element[1:]))) for n in range(count)])
        ones = _vector(element, [low] * count)
        yield from _binary((*_ARITHMETIC, *_SHIFTS[:1]), kind, left, _zeros(element, count))
        yield from _binary(_ARITHMETIC, kind, left, ones)
        if element != "i1":
            yield from _binary(_DIVISIONS, kind, left, ones)
            yield from _binary(_SHIFTS, kind, left, ones)
        bits = f"<{count} x i1>"
        for predicate in _PREDICATES:
            compared = ((kind, left), (kind, ones))
            yield Case(f"icmp {predicate} {kind} {{0}}, {{1}}", bits, compared)
        mask = _vector("i1", ["true" if n % 3 else "false" for n in range(count)])
        yield Case(f"select {bits} {{2}}, {kind} {{0}}, {kind} {{1}}", kind,
                   ((kind, left), (kind, ones), (bits, mask)))  # fmt: skip
        yield Case(f"select i1 {{2}}, {kind} {{0}}, {kind} {{1}}", kind,
                   ((kind, left), (kind, ones), ("i1", "false")))  # fmt: skip
        yield Case(f"extractelement {kind} {{0}}, i32 {{1}}", element,
                   ((kind, left), ("i32", str(count - 1))))  # fmt: skip
        yield Case(f"insertelement {kind} {{0}}, {element} {{1}}, i64 {{2}}", kind,
                   ((kind, left), (element, low), ("i64", "1")))  # fmt: skip
        picked = ", ".join([f"i32 {(5 * n + 1) % (2 * count)}" for n in range(6)])
        yield Case(f"shufflevector {kind} {{0}}, {kind} {{1}}, <6 x i32> <{picked}>",
                   f"<6 x {element}>", ((kind, left), (kind, ones)))  # fmt: skip
        yield Case(f"freeze {kind} {{0}}", kind, ((kind, left),))
    for kind, (left, right) in FLOATS.items():
        if kind == "bfloat":
            continue
        vector = f"<3 x {kind}>"
        pair = (_vector(kind, [left, right, left]), _vector(kind, [right, right, left]))
        yield from _binary(("fadd", "fmul", "fdiv"), vector, *pair)
        yield Case(f"fcmp olt {vector} {{0}}, {{1}}", "<3 x i1>",
                   ((vector, pair[0]), (vector, pair[1])))  # fmt: skip
        yield Case(f"fptosi {vector} {{0}} to <3 x i32>", "<3 x i32>", ((vector, pair[0]),))
    for source, target, value in _BITCASTS:
        yield Case(f"bitcast {source} {{0}} to {target}", target, ((source, value),))


def _binary(names: Sequence[str], kind: str, left: str, right: str) -> Iterator[Case]:
    for name in names:
        yield Case(f"{name} {kind} {{0}}, {{1}}", kind, ((kind, left), (kind, right)))


def _vector(element: str, values: Sequence[str]) -> str:
    return f"<{', '.join([f'{element} {value}' for value in values])}>"


def _zeros(element: str, count: int) -> str:
    return _vector(element, ["0"] * count)


def _signed(value: int, width: int) -> int:
    value &= (1 << width) - 1
    return value - (1 << width) if width > 1 and value >> (width - 1) else value


def _bits(kind: str) -> int:
    return {"half": 16, "bfloat": 16, "float": 32, "double": 64, "x86_fp80": 80}.get(kind, 128)
