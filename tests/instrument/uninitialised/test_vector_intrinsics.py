"""Shadow of vector instructions against the naive twin: the instruction itself, with many values in
the undefined bits.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.support.shadow_runs import ShadowRun

B, H, W, D = "<16 x i8>", "<8 x i16>", "<4 x i32>", "<2 x i64>"
B2, H2, W2, D2 = "<32 x i8>", "<16 x i16>", "<8 x i32>", "<4 x i64>"
F, R, F2, R2 = "<4 x float>", "<2 x double>", "<8 x float>", "<4 x double>"
I32, I64 = "i32", "i64"
SIGNATURES: dict[str, tuple[str, ...]] = {
    "llvm.cttz.i32": (I32, I32), "llvm.ctlz.i64": (I64, I64), "llvm.cttz.v4i32": (W, W),
    "llvm.x86.sse.movmsk.ps": (I32, F), "llvm.x86.sse2.movmsk.pd": (I32, R),
    "llvm.x86.sse2.pmovmskb.128": (I32, B), "llvm.x86.avx2.pmovmskb": (I32, B2),
    "llvm.x86.avx.movmsk.ps.256": (I32, F2),
    "llvm.x86.sse2.packsswb.128": (B, H, H), "llvm.x86.sse2.packuswb.128": (B, H, H),
    "llvm.x86.sse41.packusdw": (H, W, W), "llvm.x86.avx2.packuswb": (B2, H2, H2),
    "llvm.x86.avx2.packssdw": (H2, W2, W2),
    "llvm.x86.sse2.pmadd.wd": (W, H, H), "llvm.x86.ssse3.pmadd.ub.sw.128": (H, B, B),
    "llvm.x86.avx2.pmadd.wd": (W2, H2, H2),
    "llvm.x86.sse2.psad.bw": (D, B, B), "llvm.x86.avx2.psad.bw": (D2, B2, B2),
    "llvm.x86.sse3.hadd.ps": (F, F, F), "llvm.x86.avx.hsub.pd.256": (R2, R2, R2),
    "llvm.x86.avx.hadd.ps.256": (F2, F2, F2), "llvm.x86.ssse3.phadd.w.128": (H, H, H),
    "llvm.x86.avx2.phsub.d": (W2, W2, W2),
    "llvm.x86.ssse3.pshuf.b.128": (B, B, B), "llvm.x86.avx2.pshuf.b": (B2, B2, B2),
    "llvm.x86.avx2.permd": (W2, W2, W2), "llvm.x86.avx.vpermilvar.ps": (F, F, W),
    "llvm.x86.avx.vpermilvar.pd": (R, R, D),
    "llvm.x86.avx2.psllv.d": (W, W, W), "llvm.x86.avx2.psrav.d.256": (W2, W2, W2),
    "llvm.x86.sse2.psll.w": (H, H, H), "llvm.x86.sse2.psra.d": (W, W, W),
    "llvm.x86.avx2.psrl.q": (D2, D2, D), "llvm.x86.sse2.pslli.d": (W, W, I32),
    "llvm.x86.avx2.psrai.w": (H2, H2, I32),
    "llvm.x86.bmi.pdep.32": (I32, I32, I32), "llvm.x86.bmi.pext.64": (I64, I64, I64),
    "llvm.x86.bmi.bzhi.32": (I32, I32, I32), "llvm.x86.bmi.bextr.64": (I64, I64, I64),
    "llvm.x86.sse41.pblendvb": (B, B, B, B), "llvm.x86.sse41.blendvps": (F, F, F, F),
    "llvm.x86.avx.blendv.pd.256": (R2, R2, R2, R2),
    "llvm.x86.sse41.ptestz": (I32, D, D), "llvm.x86.sse41.ptestc": (I32, D, D),
    "llvm.x86.sse41.ptestnzc": (I32, D, D), "llvm.x86.avx.ptestc.256": (I32, D2, D2),
    "llvm.x86.sse42.crc32.32.8": (I32, I32, "i8"), "llvm.x86.sse42.crc32.64.64": (I64, I64, I64),
    "llvm.x86.sse2.pavg.b": (B, B, B), "llvm.x86.ssse3.psign.w.128": (H, H, H),
    "llvm.x86.ssse3.pmul.hr.sw.128": (H, H, H),
}  # fmt: skip
EXACT = ("cttz", "ctlz", "movmsk", "pmovmskb", "blendv", "ptest")
FLOATS = (F, R, F2, R2)
PLACE_BYTES = 32
N_TRIES = 40

HAS_ALL = {"avx2", "bmi2", "sse4_2"} <= set(Path("/proc/cpuinfo").read_text().split())
pytestmark = pytest.mark.skipif(not HAS_ALL, reason="this processor lacks SSE 4.2, AVX2 or BMI2")


@cache
def run_of(name: str) -> ShadowRun:
    result, *kinds = SIGNATURES[name]
    given = [*kinds, "i1"] if name.startswith("llvm.ct") else kinds
    lines = [f"declare {result} @{name}({', '.join(given)})"]
    lines.append("define void @f(ptr noundef %in, ptr noundef %out) #0 {")
    for number, kind in enumerate(kinds):
        lines.append(f"%p{number} = getelementptr i8, ptr %in, i64 {number * PLACE_BYTES}")
        lines.append(f"%a{number} = load {kind}, ptr %p{number}, align 1")
    words = [f"{kind} %a{number}" for number, kind in enumerate(kinds)]
    words += ["i1 false"] if len(given) > len(kinds) else []
    lines.append(f"%r = call {result} @{name}({', '.join(words)})")
    lines.append(f"store {result} %r, ptr %out, align 1")
    lines.append("ret void }")
    lines.append('attributes #0 = { "target-features"="+avx2,+bmi,+bmi2,+sse4.2,+crc32" }')
    return ShadowRun("\n".join(lines))


def size_bytes(kind: str) -> int:
    if not kind.startswith("<"):
        return int(kind[1:]) // 8
    return 32 if kind in (B2, H2, W2, D2, F2, R2) else 16


def lane_bytes(kind: str) -> int:
    count = int(kind[1:].split()[0]) if kind.startswith("<") else 1
    return size_bytes(kind) // count


def drawn(rng: random.Random, kind: str, *, is_bits: bool) -> bytes:
    """Values, or undefined bits, with runs of zeros and ones among them."""
    n_bytes, width = size_bytes(kind), lane_bytes(kind)
    if is_bits:
        chosen = [rng.choice((0, 0, 0, 255, rng.randrange(256))) for _ in range(n_bytes)]
        is_none = rng.random() < 0.3
        return bytes(n_bytes) if is_none else bytes(chosen)
    small = kind in FLOATS or rng.random() < 0.5
    numbers = [
        rng.randrange(40) if small else rng.getrandbits(8 * width) for _ in range(n_bytes // width)
    ]
    return b"".join(number.to_bytes(width, "little") for number in numbers)


def laid_out(parts: list[bytes]) -> bytes:
    return b"".join(part.ljust(PLACE_BYTES, b"\0") for part in parts)


def mixed(values: bytes, bits: bytes, other: bytes) -> bytes:
    return bytes(
        value & ~unset & 255 | new & unset
        for value, unset, new in zip(values, bits, other, strict=True)
    )


def lanes(data: bytes, kind: str) -> list[int]:
    width = lane_bytes(kind)
    whole = data[: size_bytes(kind)]
    return [int.from_bytes(whole[at : at + width], "little") for at in range(0, len(whole), width)]


@pytest.mark.parametrize("name", SIGNATURES)
def test_no_bit_changes_that_counts_as_defined(name: str) -> None:
    """Of a sum of integers that changes some bit is not defined; carries are not followed."""
    result, *kinds = SIGNATURES[name]
    run, rng = run_of(name), random.Random(name)
    is_sum = "phadd" in name or "phsub" in name
    for _ in range(N_TRIES):
        values = laid_out([drawn(rng, kind, is_bits=False) for kind in kinds])
        bits = laid_out([drawn(rng, kind, is_bits=True) for kind in kinds])
        plain, flagged, findings = run(values, bits)
        assert findings == 0
        for _ in range(8):
            other, _, _ = run(mixed(values, bits, rng.randbytes(len(bits))), bits)
            for first, second, unset in zip(
                lanes(plain, result), lanes(other, result), lanes(flagged, result), strict=True
            ):
                changed = first ^ second
                assert not changed or unset if is_sum else not changed & ~unset


@pytest.mark.parametrize("name", SIGNATURES)
def test_of_defined_bits_comes_nothing_undefined(name: str) -> None:
    rng, kinds = random.Random(name), SIGNATURES[name][1:]
    values = laid_out([drawn(rng, kind, is_bits=False) for kind in kinds])
    _, flagged, findings = run_of(name)(values, bytes(len(values)))
    assert not any(flagged) and not findings


def completions(values: bytes, bits: bytes) -> Iterator[bytes]:
    """All values of at most eight undefined bits."""
    places = [(at, bit) for at, byte in enumerate(bits) for bit in range(8) if byte >> bit & 1]
    for chosen in itertools.product((0, 1), repeat=len(places)):
        made = bytearray(values)
        for (at, bit), is_set in zip(places, chosen, strict=True):
            made[at] = made[at] & ~(1 << bit) | is_set << bit
        yield bytes(made)


@pytest.mark.parametrize("name", [one for one in SIGNATURES if any(w in one for w in EXACT)])
def test_exact_ones_flag_only_lanes_that_can_change(name: str) -> None:
    result, *kinds = SIGNATURES[name]
    run, rng = run_of(name), random.Random(name)
    n_bytes = PLACE_BYTES * len(kinds)
    real = [
        number * PLACE_BYTES + at
        for number, kind in enumerate(kinds)
        for at in range(size_bytes(kind))
    ]
    for _ in range(N_TRIES):
        values = laid_out([drawn(rng, kind, is_bits=False) for kind in kinds])
        bits = bytearray(n_bytes)
        for _ in range(6):
            bits[rng.choice(real)] |= 1 << rng.randrange(8)
        _, flagged, _ = run(values, bytes(bits))
        results = [lanes(run(one, bytes(bits))[0], result) for one in completions(values, bits)]
        for number, unset in enumerate(lanes(flagged, result)):
            can_change = len({one[number] for one in results}) > 1
            assert bool(unset) == can_change
