"""A call of any intrinsic of x86 that takes and gives values in registers, as a `ShadowRun`.

    run = ProcessorCall("llvm.x86.avx512.mask.getexp.ps.512")
    run(values, shadow) -> (result, its shadow, number of findings)

Operands lie 64 bytes apart, and so do the fields of a structure that is the result; masks of i1 lie
there as integers.  Immediate operands are chosen by
`choice`.  Which features a processor needs is in `is_on_this`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

import llvmlite.binding as llvm

from tests.support.llvm_inventory import all_intrinsic_names, declarations, functions
from tests.support.shadow_runs import ShadowRun

PLACE_BYTES: Final = 64
#: LLVM's feature by the beginning of the intrinsic's name; the first that fits
_FEATURE_BY_NAME: Final = {
    r"avx512fp16": "avx512fp16", r"avx10": "avx10.2-512",
    r"avx512\.vp2inter": "avx512vp2intersect", r"avx512bf16|vcvtneps2bf16": "avx512bf16",
    r"avx2\.vpdp": "avxvnniint8", r"avx512\.vpdp": "avx512vnni", r"avx512\.vpmadd52": "avx512ifma",
    r"avx512\.(pmultishift|permvar\.qi|vpermi2var\.qi)": "avx512vbmi",
    r"avx512\.vpshufbitqmb": "avx512bitalg", r"avx512\.mask\.(compress|expand)": "avx512vbmi2",
    r"avx512\.conflict": "avx512cd", r"avx512": "avx512dq", r"avx2": "avx2", r"avx|fma": "fma",
    r"vsha512": "sha512", r"vsm3": "sm3", r"vsm4": "sm4", r"sha": "sha", r"vgf2p8": "gfni",
    r"aesni.*(256|512)": "vaes", r"aesni": "aes", r"pclmulqdq\.": "vpclmulqdq",
    r"pclmulqdq": "pclmul", r"tbm": "tbm", r"xop": "xop", r"sse4a": "sse4a",
    r"sse42": "sse4.2", r"sse4": "sse4.1", r"ssse3": "ssse3", r"sse3": "sse3",
    r"vcvtps2ph": "f16c", r"(add|sub)": "adx",
}  # fmt: skip
_WIDE: Final = ("avx512vl", "avx512bw")
_IMMEDIATES: Final = {"i8": (0, 1, 2, 3), "i32": (1, 9, 3, 11), "i64": (0x0804, 0x0302, 1, 2)}
_CURRENT_ROUNDING: Final = 4
_NO_ROUNDING: Final = ("pternlog", "fpclass", "dbpsadbw", "ps2ph.", "tbm", ".round.s")


@cache
def pure_names() -> tuple[str, ...]:
    """Intrinsics of x86 that read and write no memory."""
    if functions() is None:
        return ()
    own = [name for name in all_intrinsic_names() if name.startswith("llvm.x86.")]
    return tuple([name for name in own if _is_pure(name)])


def _is_pure(name: str) -> bool:
    return "memory(none)" in str(llvm.parse_assembly(declaration(name)))


@cache
def declaration(name: str) -> str:
    """LLVM's own `declare` line."""
    return next(declarations(name))


def needed_feature(name: str) -> str:
    """LLVM's name of the extension that an intrinsic belongs to."""
    own = name.removeprefix("llvm.x86.")
    return next((word for start, word in _FEATURE_BY_NAME.items() if re.match(start, own)), "sse2")


def is_on_this(name: str) -> bool:
    """Whether this processor has the instruction."""
    wide = "avx512" in name or re.search(r"\.512$", name)
    return {needed_feature(name), *(_WIDE if wide else ())} <= _ON_THIS


class ProcessorCall:
    """One intrinsic, compiled; `kinds` are those of its operands that are no immediates."""

    def __init__(self, name: str, choice: int = 0, control: int | None = None) -> None:
        head, _, rest = declaration(name).removeprefix("declare ").partition(f" @{name}")
        symbol, _, inner = rest.partition("(")
        self.result = head
        words = re.findall(r"(<[^>]*>|\w+)((?: \w+)*)", inner.rpartition(")")[0])
        self.kinds = [kind for kind, more in words if "immarg" not in more]
        lines = [declaration(name), "define void @f(ptr noundef %in, ptr noundef %out) #0 {"]
        given, number = [], 0
        for index, (kind, more) in enumerate(words):
            if "immarg" in more:
                is_last = index == len(words) - 1
                value = control if control is not None else _immediate(name, kind, choice, is_last)
                given.append(f"{kind} {value}")
                continue
            lines += _loaded(kind, number)
            given.append(f"{kind} %a{number}")
            number += 1
        lines.append(f"%r = call {self.result} @{name}{symbol}({', '.join(given)})")
        lines += _stored(self.result)
        lines += ["ret void }", f'attributes #0 = {{ "target-features"="{_FEATURES}" }}']
        self._run = ShadowRun("\n".join(lines), 1024)

    def __call__(self, values: list[bytes], bits: list[bytes]) -> tuple[bytes, bytes, int]:
        laid = [
            b"".join([one.ljust(PLACE_BYTES, b"\0") for one in group]) for group in (values, bits)
        ]
        result, shadow, findings = self._run(*laid)
        return result[: 2 * PLACE_BYTES], shadow[: 2 * PLACE_BYTES], findings


def _immediate(name: str, kind: str, choice: int, is_last: bool) -> int:
    is_rounding = is_last and kind == "i32" and not any(one in name for one in _NO_ROUNDING)
    return _CURRENT_ROUNDING if is_rounding else _IMMEDIATES[kind][choice % 4]


def _loaded(kind: str, number: int) -> list[str]:
    place = f"%p{number} = getelementptr i8, ptr %in, i64 {number * PLACE_BYTES}"
    if not kind.endswith(" x i1>"):
        return [place, f"%a{number} = load {kind}, ptr %p{number}, align 1"]
    count = size_bits(kind)
    wide = f"%w{number} = load i64, ptr %p{number}, align 1"
    cut = f"%c{number} = trunc i64 %w{number} to i{count}"
    cut = f"%c{number} = add i64 %w{number}, 0" if count == 64 else cut
    return [place, wide, cut, f"%a{number} = bitcast i{count} %c{number} to {kind}"]


def _stored(kind: str) -> list[str]:
    if not kind.startswith("{"):
        return _stored_at(kind, "%r", 0)
    lines = []
    for index, part in enumerate(parts(kind)):
        lines.append(f"%part{index} = extractvalue {kind} %r, {index}")
        lines += _stored_at(part, f"%part{index}", index)
    return lines


def _stored_at(kind: str, value: str, number: int) -> list[str]:
    place = f"%q{number} = getelementptr i8, ptr %out, i64 {number * PLACE_BYTES}"
    if not kind.endswith(" x i1>"):
        return [place, f"store {kind} {value}, ptr %q{number}, align 1"]
    count = size_bits(kind)
    bits = f"%b{number} = bitcast {kind} {value} to i{count}"
    wide = f"add i64 %b{number}, 0" if count == 64 else f"zext i{count} %b{number} to i64"
    return [place, bits, f"%z{number} = {wide}", f"store i64 %z{number}, ptr %q{number}, align 1"]


def parts(kind: str) -> list[str]:
    """The kinds of a structure's fields, none of which is a structure; of others itself."""
    return kind.strip("{} ").split(", ")


def lane_bits(kind: str) -> int:
    """Bits of one lane, or of a number."""
    widths = {"half": 16, "bfloat": 16, "float": 32, "double": 64}
    element = kind.strip("<>").split(" x ")[-1]
    return widths[element] if element in widths else int(element[1:])


def size_bits(kind: str) -> int:
    """Bits of a vector or a number."""
    count = int(kind[1:].split()[0]) if kind.startswith("<") else 1
    return count * lane_bits(kind)


#: of this processor alone: LLVM takes AVX-512's encoding of an AES step where it is told of both
_ON_THIS: Final = frozenset(name for name, has in llvm.get_host_cpu_features().items() if has)
_WANTED: Final = {*_FEATURE_BY_NAME.values(), *_WIDE}
_FEATURES: Final = ",".join(f"+{name}" for name in sorted(_WANTED & _ON_THIS))
