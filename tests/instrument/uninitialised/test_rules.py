"""Shadow of results against the naive twin, which tries every value of undefined bits."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracles.undefined_bits import exact_bits, rule_bits
from tests.support.shadow_runs import ShadowRun

EXACT = ("and", "or", "xor", "icmp eq", "icmp ne")
OTHERS = ("add", "sub", "mul", "icmp ult", "icmp slt")
SHIFTS = ("shl", "lshr", "ashr")
BYTE = st.integers(0, 255)
# At most ten undefined bits in all, so that all their values can be tried.
OPERAND = st.tuples(BYTE, st.integers(0, 255).filter(lambda bits: bits.bit_count() <= 5))


def binary_text(opcode: str, kind: str = "i8") -> str:
    lines = [f"%a = load {kind}, ptr %in", "%q = getelementptr i8, ptr %in, i64 16"]
    lines += [f"%b = load {kind}, ptr %q", f"%r = {opcode} {kind} %a, %b"]
    result = "%r"
    if opcode.startswith("icmp"):
        flags = kind.replace("i8", "i1")
        lines.append(f"%w = zext {flags} %r to {kind}")
        result = "%w"
    lines += [f"store {kind} {result}, ptr %out", "ret void"]
    return "define void @f(ptr noundef %in, ptr noundef %out) {\n" + "\n".join(lines) + "\n}\n"


@cache
def compiled(text: str) -> ShadowRun:
    return ShadowRun(text)


def run_binary(opcode: str, left: tuple[int, int], right: tuple[int, int]) -> int:
    values = bytes([left[0]]) + bytes(15) + bytes([right[0]])
    shadow = bytes([left[1]]) + bytes(15) + bytes([right[1]])
    _, bits, findings = compiled(binary_text(opcode))(values, shadow)
    assert findings == 0
    return bits[0]


@pytest.mark.parametrize("opcode", EXACT)
@given(left=OPERAND, right=OPERAND)
@settings(max_examples=60, deadline=None)
def test_exact_rules_are_exact(
    opcode: str, left: tuple[int, int], right: tuple[int, int]
) -> None:
    assert run_binary(opcode, left, right) == exact_bits(opcode, 8, left, right)


@pytest.mark.parametrize("opcode", OTHERS)
@given(left=OPERAND, right=OPERAND)
@settings(max_examples=40, deadline=None)
def test_other_rules_are_the_published_ones(
    opcode: str, left: tuple[int, int], right: tuple[int, int]
) -> None:
    assert run_binary(opcode, left, right) == rule_bits(opcode, 8, left, right)


@pytest.mark.parametrize("opcode", SHIFTS)
@given(left=OPERAND, distance=st.integers(0, 7), unsure=st.sampled_from((0, 0, 1, 6)))
@settings(max_examples=40, deadline=None)
def test_shifts(opcode: str, left: tuple[int, int], distance: int, unsure: int) -> None:
    right = (distance, unsure)
    found = run_binary(opcode, left, right)
    assert found == rule_bits(opcode, 8, left, right)
    if not unsure:
        assert found == exact_bits(opcode, 8, left, right)


@given(
    values=st.binary(min_size=4, max_size=4),
    shadow=st.binary(min_size=4, max_size=4),
    others=st.binary(min_size=4, max_size=4),
)
@settings(max_examples=40, deadline=None)
def test_vectors_follow_the_rules_element_by_element(
    values: bytes, shadow: bytes, others: bytes
) -> None:
    for opcode in ("and", "add", "icmp ult"):
        text = binary_text(opcode, "<4 x i8>").replace("<4 x i1>", "<4 x i1>")
        run = compiled(text)
        _, bits, _ = run(values + bytes(12) + others, shadow + bytes(16))
        wanted = [
            rule_bits(opcode, 8, (value, unsure), (other, 0))
            for value, unsure, other in zip(values, shadow, others, strict=True)
        ]
        assert list(bits[:4]) == wanted


SELECT = """
define void @f(ptr noundef %in, ptr noundef %out) {
  %c = load i8, ptr %in
  %q = getelementptr i8, ptr %in, i64 8
  %a = load i8, ptr %q
  %s = getelementptr i8, ptr %in, i64 16
  %b = load i8, ptr %s
  %i = trunc i8 %c to i1
  %r = select i1 %i, i8 %a, i8 %b
  store i8 %r, ptr %out
  ret void
}
"""


@given(choice=st.tuples(BYTE, st.sampled_from((0, 1))), first=OPERAND, second=OPERAND)
@settings(max_examples=60, deadline=None)
def test_select_is_exact(
    choice: tuple[int, int], first: tuple[int, int], second: tuple[int, int]
) -> None:
    parts = (choice, first, second)
    values = b"".join(bytes([value]) + bytes(7) for value, _ in parts)
    shadow = b"".join(bytes([bits]) + bytes(7) for _, bits in parts)
    _, bits, _ = compiled(SELECT)(values, shadow)
    assert bits[0] == exact_bits("select", 8, *parts)


CASTS = """
define void @f(ptr noundef %in, ptr noundef %out) {
  %a = load i16, ptr %in
  %t = trunc i16 %a to i8
  %z = zext i8 %t to i32
  %s = sext i8 %t to i32
  %w = call i32 @llvm.bswap.i32(i32 %s)
  store i32 %z, ptr %out
  %p = getelementptr i8, ptr %out, i64 4
  store i32 %s, ptr %p
  %q = getelementptr i8, ptr %out, i64 8
  store i32 %w, ptr %q
  ret void
}
declare i32 @llvm.bswap.i32(i32)
"""


@given(bits=st.integers(0, 0xFFFF))
@settings(max_examples=30, deadline=None)
def test_casts_and_byte_swaps_move_the_bits(bits: int) -> None:
    _, found, _ = compiled(CASTS)(bytes(2), bits.to_bytes(2, "little"))
    low = bits & 0xFF
    wide = (0xFFFFFF00 if low & 0x80 else 0) | low
    assert int.from_bytes(found[0:4], "little") == low
    assert int.from_bytes(found[4:8], "little") == wide
    assert int.from_bytes(found[8:12], "big") == wide


FLOAT = """
define void @f(ptr noundef %in, ptr noundef %out) {
  %a = load float, ptr %in
  %w = fpext float %a to double
  %r = fadd double %w, 1.0
  %i = fptosi double %r to i16
  store i16 %i, ptr %out
  ret void
}
"""


@pytest.mark.parametrize(("bits", "wanted"), [(0, 0), (1, 0xFFFF), (0x8000_0000, 0xFFFF)])
def test_floating_point_is_all_or_nothing(bits: int, wanted: int) -> None:
    _, found, _ = compiled(FLOAT)(bytes(4), bits.to_bytes(4, "little"))
    assert int.from_bytes(found[:2], "little") == wanted
