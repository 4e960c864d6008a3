"""Rules for all that x86 computes in registers, against the instructions themselves: no bit changes
that counts as defined, and what counts as undefined can change.

A sixth of the instructions is tried (`in_part`; IRSAN_PART=all: every one).
"""

from __future__ import annotations

import itertools
import random

import pytest

from irsan.instrument.uninitialised import intrinsics
from irsan.instrument.uninitialised.processor_names import processor_rule, reason_without
from tests.support.irsan_runs import in_part
from tests.support.processor_calls import (
    ProcessorCall,
    is_on_this,
    lane_bits,
    needed_feature,
    pure_names,
    size_bits,
)

NAMES = [name for name in pure_names() if processor_rule(name)]
TEXT = [name for name in NAMES if processor_rule(name) == "text"]
# Carries are not followed: a bit of the result has to be flagged, not each that changes.
SUMS = ("horizontal", "carry", "all")
N_TRIES, N_OTHERS, N_PRECISE = 6, 5, 60
Pair = tuple[int, int, int]
# Random numbers are too seldom equal, small enough or of another class to show a change there.
SELDOM = ("carry", "borrow", "dp", "test", "conflict", "fpclass", "cmp", "comi", "fixupimm",
          "pmovus", "psll", "psra", "psrl", "pmulhu", "phminpos", "vgf2p8", "sse4a",
          "vpshufbitqmb", "vcvtudq2ph", "cph", "csh", "vp2intersect")  # fmt: skip
INTERSECTIONS = [name for name in NAMES if processor_rule(name) == "intersection"]
PRECISE = [name for name in NAMES if not any(word in name for word in SELDOM)]
CONTROLS = (0x00, 0x04, 0x08, 0x0C, 0x18, 0x34, 0x44, 0x4A, 0x01, 0x0D, 0x39, 0x7B)


def test_every_pure_intrinsic_has_a_rule_or_a_reason() -> None:
    if not pure_names():
        pytest.skip("llvmlite's library has neither the C API nor a symbol table")
    named = tuple(f"llvm.{name}" for name in intrinsics._BY_NAME)
    without = [
        name for name in pure_names()
        if not name.startswith(named) and not processor_rule(name) and not reason_without(name)
    ]  # fmt: skip
    assert without == []
    assert len(NAMES) > 900


def drawn(rng: random.Random, kind: str) -> bytes:
    """Bits of a number that is small, or any; floats are of a moderate size."""
    width = max(1, lane_bits(kind) // 8)
    n_bytes = max(8, size_bits(kind) // 8)
    if any(word in kind for word in ("double", "float", "half")):
        top = {"double": 0x3FF0 << 48, "float": 0x3F80 << 16, "bfloat": 0x3F80, "half": 0x3C00}
        first = top[kind.strip("<>").split(" x ")[-1]]
        return b"".join(
            (first + rng.getrandbits(8 * width - 9)).to_bytes(width, "little")
            for _ in range(n_bytes // width)
        )
    limit = rng.choice((20, 1 << 8 * width))
    return b"".join(
        rng.randrange(min(limit, 1 << 8 * width)).to_bytes(width, "little")
        for _ in range(n_bytes // width)
    )


def undefined(rng: random.Random, kind: str) -> bytes:
    n_bytes = max(8, size_bits(kind) // 8)
    if rng.random() < 0.4:
        return bytes(n_bytes)
    return bytes(rng.choice((0, 0, 0, 0, 255, 1 << rng.randrange(8))) for _ in range(n_bytes))


def mixed(rng: random.Random, values: list[bytes], bits: list[bytes]) -> list[bytes]:
    return [
        bytes(v & ~b & 255 | rng.getrandbits(8) & b for v, b in zip(one, unset, strict=True))
        for one, unset in zip(values, bits, strict=True)
    ]


def changed_but_defined(run: ProcessorCall, name: str, rng: random.Random) -> bool:
    values = [drawn(rng, kind) for kind in run.kinds]
    bits = [undefined(rng, kind) for kind in run.kinds]
    plain, flagged, findings = run(values, bits)
    assert findings == 0
    clear = run(values, [bytes(len(one)) for one in bits])
    assert clear[0] == plain and not any(clear[1])
    for _ in range(N_OTHERS):
        other, _, _ = run(mixed(rng, values, bits), bits)
        if processor_rule(name) in SUMS:
            if plain != other and not any(flagged):
                return True
        elif any((a ^ b) & ~s for a, b, s in zip(plain, other, flagged, strict=True)):
            return True
    return False


@pytest.mark.parametrize("name", in_part(NAMES, 6))
def test_no_bit_changes_that_counts_as_defined(name: str) -> None:
    if not is_on_this(name):
        pytest.skip(f"this processor lacks {needed_feature(name)}")
    rng = random.Random(name)
    for choice in (0, 1):
        run = ProcessorCall(name, choice)
        for _ in range(N_TRIES):
            assert not changed_but_defined(run, name, rng)


def reaching(run: ProcessorCall, rng: random.Random) -> tuple[set[Pair], set[Pair]]:
    """Pairs of an undefined lane and a lane of the result: flagged ones, and changed ones."""
    flagged: set[Pair] = set()
    changed: set[Pair] = set()
    width = max(1, lane_bits(run.result) // 8)
    for _ in range(N_PRECISE):
        values = [drawn(rng, kind) for kind in run.kinds]
        operand = rng.randrange(len(run.kinds))
        size = max(1, lane_bits(run.kinds[operand]) // 8)
        lane = rng.randrange(max(1, size_bits(run.kinds[operand]) // 8 // size))
        bits = [bytes(len(one)) for one in values]
        bits[operand] = bytes(lane * size) + b"\xff" * size
        bits[operand] = bits[operand].ljust(len(values[operand]), b"\0")
        plain, shadow, _ = run(values, bits)
        flagged |= {(operand, lane, at // width) for at, one in enumerate(shadow) if one}
        for _ in range(12):
            other, _, _ = run(mixed(rng, values, bits), bits)
            changed |= {
                (operand, lane, at // width)
                for at, pair in enumerate(zip(plain, other, strict=True)) if len(set(pair)) > 1
            }  # fmt: skip
    return flagged, changed


@pytest.mark.parametrize("name", in_part(PRECISE, 6))
def test_what_is_flagged_can_change(name: str) -> None:
    """Lane by lane."""
    if not is_on_this(name):
        pytest.skip(f"this processor lacks {needed_feature(name)}")
    flagged, changed = reaching(ProcessorCall(name, 1), random.Random(name))
    assert flagged and flagged <= changed


def set_bits(text: bytes) -> set[int]:
    number = int.from_bytes(text, "little")
    return {at for at in range(8 * len(text)) if number >> at & 1}


@pytest.mark.parametrize("name", INTERSECTIONS)
def test_a_number_that_is_looked_for_elsewhere(name: str) -> None:
    """Both operands hold the same numbers in any order, so each lane is in the other once: a lane
    that changes is missed at its own place, and at that of its twin, which may be any."""
    if not is_on_this(name):
        pytest.skip(f"this processor lacks {needed_feature(name)}")
    run, rng = ProcessorCall(name), random.Random(name)
    width = lane_bits(run.kinds[0]) // 8
    count = size_bits(run.kinds[0]) // 8 // width
    for operand, lane in itertools.product((0, 1), range(count)):
        bits = [bytes(width * count)] * 2
        bits[operand] = (bytes(lane * width) + b"\xff" * width).ljust(width * count, b"\0")
        flagged: set[int] = set()
        changed: set[int] = set()
        for _ in range(12 * count):
            values = [
                b"".join(one.to_bytes(width, "little") for one in rng.sample(range(count), count))
                for _ in range(2)
            ]
            plain, shadow, findings = run(values, bits)
            other, _, _ = run(mixed(rng, values, bits), bits)
            assert findings == 0
            flagged |= set_bits(shadow)
            changed |= set_bits(plain) ^ set_bits(other)
        assert flagged == changed and len(flagged) == 1 + count


def texts(rng: random.Random, run: ProcessorCall) -> list[bytes]:
    """Few letters and zeros; lengths around those of a vector."""
    return [
        rng.choice((rng.randrange(20), 2**32 - rng.randrange(20))).to_bytes(8, "little")
        if kind == "i32"
        else bytes(rng.choices(range(4), weights=(1, 4, 4, 4), k=16))
        for kind in run.kinds
    ]


def some_bytes(rng: random.Random, values: list[bytes]) -> list[bytes]:
    return [
        bytes(255 * (rng.random() < 0.15) for _ in one) if len(one) == 16 else bytes(len(one))
        for one in values
    ]


@pytest.mark.parametrize("control", CONTROLS)
@pytest.mark.parametrize("name", TEXT)
def test_searches_in_text(name: str, control: int) -> None:
    if not is_on_this(name):
        pytest.skip(f"this processor lacks {needed_feature(name)}")
    run, rng = ProcessorCall(name, control=control), random.Random(name)
    for _ in range(40):
        values = texts(rng, run)
        bits = some_bytes(rng, values)
        plain, flagged, _ = run(values, bits)
        for _ in range(8):
            letters = texts(rng, run)
            other, _, _ = run(
                [
                    bytes(n if b else v for v, n, b in zip(one, new, unset, strict=True))
                    for one, new, unset in zip(values, letters, bits, strict=True)
                ],
                bits,
            )
            assert not any((a ^ b) & ~s for a, b, s in zip(plain, other, flagged, strict=True))


@pytest.mark.parametrize("control", CONTROLS)
@pytest.mark.parametrize("name", [name for name in TEXT if "pcmpistr" in name])
def test_what_is_behind_a_zero_does_not_matter(name: str, control: int) -> None:
    if not is_on_this(name):
        pytest.skip(f"this processor lacks {needed_feature(name)}")
    run = ProcessorCall(name, control=control)
    for end in range(0, 14, 2):
        text = bytes([1]) * end + bytes(2) + bytes([5]) * (14 - end)
        behind = bytes(end + 2) + b"\xff" * (14 - end)
        assert not any(run([text, text], [behind, behind])[1])
        if end and name.endswith(("pcmpistrm128", "pcmpistri128")):
            before = b"\xff" + bytes(15)
            assert any(run([text, text], [before, before])[1])
