"""Which rule an intrinsic of x86 has, by the pattern of its name.

The names are regular: `avx512.mask.getexp.ps.256` says the extension, whether a mask switches lanes
off, the operation, the kind of element and the width.  A pattern that comes first wins.

Source: the Intel manual, volume 2, for what the instructions behind the names do.
Deviations: MMX, XOP, tiles and what no processor at hand could be asked about have no rule, see
`UNKNOWN`; their results count as initialised.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

_RULES: Final = {
    # text, ciphers
    r"sse42\.pcmp[ei]str": "text",
    r"aesni\.aes(enc|dec)(last)?\b": "aes_round",
    r"aesni\.aes(imc|keygenassist)$": "aes_key",
    r"(sha1|sha256|vsha512|vsm4)": "table",
    r"vgf2p8affine": "affine",
    r"vgf2p8mulb": "masked",
    r"pclmulqdq": "marked",
    # lane 0 alone
    r"(sse2?|avx10|avx512\w*)\.v?u?comi": "low_flag",
    r"(sse2?|avx10|avx512\w*)\.v?cvtt?s[sdh]2u?sis?(32|64)?$": "low",
    r"avx512\w*\.mask\.(cmp|fpclass)\.s[sdh]$": "low_mask",
    r"sse41\.(dpp[sd])|avx\.dp\.ps": "marked",
    r"sse4a\.extrqi|sse4a\.insertqi|sse41\.insertps|tbm\.bextri": "moved",
    r"sse4a\.extrq$": "extracted",
    r"sse4a\.insertq$": "inserted",
    r"avx512\w*\.maskz?\.v?(add|sub|mul|div|min|max|sqrt|getexp|getmant|scalef|range|reduce|"
    r"rndscale|fixupimm|rcp|rsqrt|cvts[sdh]2s[sdh]|fc?madd|fc?mul)\.?c?s[sdh]\b": "scalar",
    r"avx512\w*\.mask\.v?cvts[sdh]2s[sdh]": "scalar",
    r"avx10\.mask\.vminmaxs[sdh]": "scalar",
    r"avx512\.(rcp14|rsqrt14)\.s[sd]$": "scalar",
    r"avx512\w*\.v?cvtu?si(64)?2s[sdh]": "scalar",
    r"sse2?\.(cmp|min|max|rcp|rsqrt|cvtsd2)\.?s[sd]$|sse41\.round\.s[sd]": "scalar",
    # bits that move
    r"avx512\.pternlog\.": "logic",
    r"avx512\.mask\.(compress|expand)\b": "packed_by_mask",
    r"avx512\.mask\.pmov\.": "cut",
    r"avx512\.vpermi2var\.": "two_sources",
    r"avx512\.pmultishift\.": "multishift",
    r"avx512\.vpshufbitqmb\.": "bits_chosen",
    r"avx512\.(permvar|vpermilvar|pshuf\.b|ps[lr][la]v)\b": "chosen_widely",
    r"avx512\.ps[lr][la]i?\.[wdq]\.": "shifted",
    # sums
    r"avx512\.(packss|packus)": "packed",
    r"avx512\.pmadd(ubs\.w|w\.d)": "products",
    r"avx512\.psad\.bw": "distances",
    r"(ssse3|avx2)\.ph(add|sub)\.sw(\.128)?$": "horizontal",
    r"(sse41|avx2)\.mpsadbw|avx10\.vmpsadbw|avx512\.dbpsadbw": "marked",
    r"(avx2|avx10|avx512)\.vpdp[bw]|avx10\.vdpphps|avx512bf16\.dpbf16ps": "grouped",
    r"sse41\.phminposuw": "minimum",
    r"avx512\.conflict\.": "conflicts",
    r"avx512\.vp2intersect": "intersection",
    # bits of masks
    r"avx512\.kadd\.": "all",
    r"avx512\.ktest|avx\.vtest": "sign_tests",
    r"(addcarry|subborrow)\.": "carry",
    # lane by lane
    r"avx512bf16\.cvtne2ps2bf16|avx10\.(mask\.)?vcvt2p[sh]2": "joined",
    r"avx10\.mask\.(v?cvt|vminmax|getexp|getmant|rcp|reduce|rndscale|rsqrt|scalef)": "masked",
    r"avx10\.(fpclass|vadd|vsub|vmul|vdiv|vmin|vmax|vfn?m|vcvtt?bf16)": "masked",
    r"avx512(fp16|bf16)?\.(maskz?\.)?(v?cvt|pmovu?s\.|fixupimm|getexp|getmant|range|reduce|rndscale|"
    r"scalef|cmp|fpclass|vfc?madd|vfc?mul|rcp|rsqrt)": "masked",
    r"avx512(fp16)?\.(add|sub|mul|div|min|max|sqrt|rcp14|rsqrt14|fpclass|vfmadd|sitofp|uitofp|"
    r"pavg|pmul|vpmadd52)": "masked",
    r"(sse3|avx)\.addsub|fma\.vfmaddsub": "masked",
    r"(sse2|avx)\.cvtt?\.?p[sd]2|vcvtneps2bf16|vcvtps2ph": "masked",
}  # fmt: skip
UNKNOWN: Final = {
    r"mmx\.|sse\.(cvtt?p[sdi]2p?[is]|cvtpi|pshuf\.w)|ssse3\.(?!.*128)": "MMX: clang uses SSE2",
    r"xop\.": "XOP: no processor since 2017 has it",
    r"cast\.|seh\.": "tiles and exceptions have no lanes",
    r"vsm3": "a round of SM3 mixes lanes in a way that was not checked",
    r"avx10\.mask\.vcvtbias": "a bias is a part of a lane; not checked",
}  # fmt: skip
_PREFIX = "llvm.x86."


@cache
def processor_rule(name: str) -> str:
    """The rule of an intrinsic of x86; "" when there is none."""
    if not name.startswith(_PREFIX):
        return ""
    own = name[len(_PREFIX) :]
    if any(re.match(pattern, own) for pattern in UNKNOWN):
        return ""
    return next((rule for pattern, rule in _RULES.items() if re.match(pattern, own)), "")


def reason_without(name: str) -> str:
    """Why an intrinsic of x86 has no rule; "" when no reason is known."""
    own = name.removeprefix(_PREFIX)
    return next((why for pattern, why in UNKNOWN.items() if re.match(pattern, own)), "")
