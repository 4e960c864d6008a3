"""Random integer expressions: no value that they take lies outside of their range."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.instrument.analysis.values.value_ranges import Range, signed_range
from irsan.ir.reading import parse_ir_text
from irsan.ir.values import Value

Evaluate = Callable[[int, int], int | None]
"""The value of an expression, as unsigned, for two arguments; None when it is undefined."""
WIDTHS = (1, 8, 16)
SHIFTS = {
    "shl": lambda a, b, _: a << b,
    "lshr": lambda a, b, _: a >> b,
    "ashr": lambda a, b, width: _signed(a, width) >> b,
}
OPERATIONS: dict[str, Callable[[int, int, int], int | None]] = {
    "add": lambda a, b, _: a + b,
    "sub": lambda a, b, _: a - b,
    "mul": lambda a, b, _: a * b,
    "and": lambda a, b, _: a & b,
    "or": lambda a, b, _: a | b,
    "xor": lambda a, b, _: a ^ b,
    "urem": lambda a, b, _: a % b if b else None,
    **{
        name: lambda a, b, width, shift=shift: shift(a, b, width) if b < width else None
        for name, shift in SHIFTS.items()
    },
}


def _signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) else value


class Expressions:
    """Lines of IR and what each value is, `%0` and `%1` being the arguments of 8 bits."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.values: list[tuple[str, int, Evaluate]] = [
            ("%x", 8, lambda x, _: x),
            ("%y", 8, lambda _, y: y),
        ]

    def add(self, text: str, width: int, evaluate: Evaluate) -> None:
        name = f"%v{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        self.values.append((name, width, evaluate))

    def constant(self, width: int, number: int) -> None:
        number &= (1 << width) - 1
        self.values.append((str(_signed(number, width)), width, lambda *_: number))

    def binary(self, opcode: str, left: int, right: int) -> None:
        (a, width, of_a), (b, other, of_b) = self.values[left], self.values[right]
        if width != other:
            return

        def evaluate(x: int, y: int) -> int | None:
            one, two = of_a(x, y), of_b(x, y)
            if one is None or two is None:
                return None
            made = OPERATIONS[opcode](one, two, width)
            return None if made is None else made & ((1 << width) - 1)

        self.add(f"{opcode} i{width} {a}, {b}", width, evaluate)

    def cast(self, opcode: str, operand: int, width: int) -> None:
        a, before, of_a = self.values[operand]
        if (opcode == "trunc") != (width < before) or width == before:
            return

        def evaluate(x: int, y: int) -> int | None:
            one = of_a(x, y)
            if one is None:
                return None
            return (_signed(one, before) if opcode == "sext" else one) & ((1 << width) - 1)

        self.add(f"{opcode} i{before} {a} to i{width}", width, evaluate)

    def select(self, condition: int, left: int, right: int) -> None:
        (c, bits, of_c), (a, width, of_a), (b, other, of_b) = (
            self.values[number] for number in (condition, left, right)
        )
        if bits != 1 or width != other:
            return

        def evaluate(x: int, y: int) -> int | None:
            chosen = of_c(x, y)
            return None if chosen is None else (of_a if chosen else of_b)(x, y)

        self.add(f"select i1 {c}, i{width} {a}, i{width} {b}", width, evaluate)


@st.composite
def expressions(draw: st.DrawFn) -> Expressions:
    made = Expressions()
    for _ in range(draw(st.integers(2, 14))):
        value = st.integers(0, len(made.values) - 1)
        kind = draw(st.sampled_from(("constant", "binary", "binary", "binary", "cast", "select")))
        if kind == "constant":
            made.constant(draw(st.sampled_from(WIDTHS)), draw(st.integers(-9, 300)))
        elif kind == "binary":
            made.binary(draw(st.sampled_from(sorted(OPERATIONS))), draw(value), draw(value))
        elif kind == "cast":
            opcode = draw(st.sampled_from(("sext", "zext", "trunc")))
            made.cast(opcode, draw(value), draw(st.sampled_from(WIDTHS)))
        else:
            made.select(draw(value), draw(value), draw(value))
    return made


def _ranges(lines: list[str]) -> dict[str, Range | None]:
    body = "\n".join([*lines, "ret void"])
    module = parse_ir_text(f"define void @f(i8 %x, i8 %y) {{\n{body}\n}}")
    found: list[Value] = list(module.functions[0].entry.instructions)[:-1]
    return {f"%v{number}": signed_range(value) for number, value in enumerate(found)}


@settings(max_examples=150, deadline=None)
@given(made=expressions(), arguments=st.lists(st.tuples(*[st.integers(0, 255)] * 2), max_size=40))
def test_no_value_lies_outside_of_its_range(
    made: Expressions, arguments: list[tuple[int, int]]
) -> None:
    ranges = _ranges(made.lines)
    for name, width, evaluate in made.values:
        found = ranges.get(name)
        if found is None:
            continue
        for x, y in (*arguments, (0, 0), (255, 255), (127, 128), (1, 7)):
            value = evaluate(x, y)
            assert value is None or found.lo <= _signed(value, width) <= found.hi, (name, x, y)


@pytest.mark.parametrize(
    ("line", "lo", "hi"),
    [
        ("and i8 %x, 7", 0, 7),
        ("urem i8 %x, 10", 0, 9),
        ("zext i8 %x to i32", 0, 255),
        ("lshr i8 %x, 6", 0, 3),
        ("add i8 %x, 1", -128, 127),
        ("ashr i8 %x, 7", -1, 0),
    ],
)
def test_ranges_are_as_small_as_they_can_be(line: str, lo: int, hi: int) -> None:
    assert _ranges([f"%v0 = {line}"])["%v0"] == Range(lo, hi)


def test_what_is_no_integer_has_no_range() -> None:
    assert _ranges(["%v0 = sitofp i8 %x to double"])["%v0"] is None
