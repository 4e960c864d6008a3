"""What LLVM's intrinsics do to undefined bits.

    all         the result has every bit that is set in any argument        umax, fma, sadd.sat
    first       the first argument comes through                            expect, ptr.annotation
    same        the same function of the shadow                             bswap, bitreverse
    any         one undefined bit leaves nothing defined                    ctpop, lrint
    funnel      shifted alike; an undefined distance leaves nothing         fshl, fshr
    compare     one undefined bit of either leaves nothing defined          scmp, ucmp
    overflow    { all, any }                                                uadd.with.overflow
    reduce      a bit of an element is a bit of the result                  vector.reduce.*
    lanes       in a lane, one undefined bit of any leaves nothing defined  x86.sse2.cvtps2dq
    ones, signs, packed ...                                                 vector_intrinsics.py

Others give initialised results and check nothing: an unknown rule makes no finding.

Source: MemorySanitizer's handling of intrinsics.
Deviations: intrinsics of one processor that have no rule here or in processor_names.py count
as initialised; MemorySanitizer takes them as uses of all that they are given.  Masked memory is in
masked_memory.py.
"""

from __future__ import annotations

from irsan.instrument.uninitialised.processor_names import processor_rule
from irsan.ir.calls import Call, CallTerminator
from irsan.ir.instruction import Instruction
from irsan.ir.values import Function, Value

_RULES: dict[str, tuple[str, ...]] = {
    "all": (
        "smax", "smin", "umax", "umin", "sadd.sat", "uadd.sat", "ssub.sat", "usub.sat", "abs",
        "fma", "fmuladd", "fabs", "sqrt", "floor", "ceil", "trunc", "rint", "nearbyint", "round",
        "roundeven", "minnum", "maxnum", "minimum", "maximum", "copysign", "pow", "powi", "exp",
        "exp2", "log", "log2", "log10", "sin", "cos", "canonicalize", "ptrmask", "ldexp",
    ),
    "first": (
        "expect", "expect.with.probability", "launder.invariant.group", "annotation",
        "strip.invariant.group", "ptr.annotation", "arithmetic.fence", "ssa.copy",
    ),
    "same": ("bswap", "bitreverse"),
    "any": ("ctpop", "lrint", "lround", "llrint", "llround"),
    "funnel": ("fshl", "fshr"),
    "compare": ("scmp", "ucmp"),
    "overflow": (
        "sadd.with.overflow", "uadd.with.overflow", "ssub.with.overflow", "usub.with.overflow",
        "smul.with.overflow", "umul.with.overflow",
    ),
    "reduce": tuple(
        f"vector.reduce.{name}"
        for name in ("add", "mul", "and", "or", "xor", "smax", "smin", "umax", "umin")
    ),
    "lanes": (
        "x86.sse2.cvtps2dq", "x86.sse2.cvttps2dq", "x86.avx.cvt.ps2dq", "x86.avx.cvtt.ps2dq",
        "x86.sse.min.ps", "x86.sse.max.ps", "x86.sse2.min.pd", "x86.sse2.max.pd",
        "x86.avx.min.ps", "x86.avx.max.ps", "x86.avx.min.pd", "x86.avx.max.pd",
        "x86.sse.cmp.ps", "x86.sse2.cmp.pd", "x86.avx.cmp.ps", "x86.avx.cmp.pd",
        "x86.sse.rcp.ps", "x86.sse.rsqrt.ps", "x86.avx.rcp.ps", "x86.avx.rsqrt.ps",
        "x86.sse41.round.ps", "x86.sse41.round.pd", "x86.avx.round.ps", "x86.avx.round.pd",
        "x86.sse2.pavg.b", "x86.sse2.pavg.w", "x86.avx2.pavg.b", "x86.avx2.pavg.w",
        "x86.sse2.pmulh.w", "x86.sse2.pmulhu.w", "x86.avx2.pmulh.w", "x86.avx2.pmulhu.w",
        "x86.ssse3.pmul.hr.sw.128", "x86.avx2.pmul.hr.sw", "x86.ssse3.psign.b.128",
        "x86.ssse3.psign.w.128", "x86.ssse3.psign.d.128", "x86.avx2.psign.b", "x86.avx2.psign.w",
        "x86.avx2.psign.d",
    ),
    "ones": ("ctlz", "cttz"),
    "signs": (
        "x86.sse.movmsk.ps", "x86.sse2.movmsk.pd", "x86.sse2.pmovmskb.128", "x86.avx2.pmovmskb",
        "x86.avx.movmsk.ps.256", "x86.avx.movmsk.pd.256",
    ),
    "packed": (
        "x86.sse2.packsswb.128", "x86.sse2.packssdw.128", "x86.sse2.packuswb.128",
        "x86.sse41.packusdw", "x86.avx2.packsswb", "x86.avx2.packssdw", "x86.avx2.packuswb",
        "x86.avx2.packusdw",
    ),
    "products": (
        "x86.sse2.pmadd.wd", "x86.avx2.pmadd.wd", "x86.ssse3.pmadd.ub.sw.128",
        "x86.avx2.pmadd.ub.sw",
    ),
    "distances": ("x86.sse2.psad.bw", "x86.avx2.psad.bw"),
    "horizontal": (
        "x86.sse3.hadd.ps", "x86.sse3.hadd.pd", "x86.sse3.hsub.ps", "x86.sse3.hsub.pd",
        "x86.avx.hadd.ps.256", "x86.avx.hadd.pd.256", "x86.avx.hsub.ps.256", "x86.avx.hsub.pd.256",
        "x86.ssse3.phadd.w.128", "x86.ssse3.phadd.d.128", "x86.ssse3.phsub.w.128",
        "x86.ssse3.phsub.d.128", "x86.avx2.phadd.w", "x86.avx2.phadd.d", "x86.avx2.phsub.w",
        "x86.avx2.phsub.d",
    ),
    "chosen": (
        "x86.ssse3.pshuf.b.128", "x86.avx2.pshuf.b", "x86.avx2.permd", "x86.avx2.permps",
        "x86.avx.vpermilvar.ps", "x86.avx.vpermilvar.pd", "x86.avx.vpermilvar.ps.256",
        "x86.avx.vpermilvar.pd.256", "x86.avx2.psllv.d", "x86.avx2.psllv.q", "x86.avx2.psrlv.d",
        "x86.avx2.psrlv.q", "x86.avx2.psrav.d", "x86.avx2.psllv.d.256", "x86.avx2.psllv.q.256",
        "x86.avx2.psrlv.d.256", "x86.avx2.psrlv.q.256", "x86.avx2.psrav.d.256",
    ),
    "shifted": (
        *[
            f"x86.{vectors}.{shift}{count}.{element}"
            for vectors in ("sse2", "avx2")
            for shift, elements in (("psll", "wdq"), ("psrl", "wdq"), ("psra", "wd"))
            for count in ("", "i")
            for element in elements
        ],
        *[f"x86.bmi.{name}.{width}" for name in ("pdep", "pext", "bzhi", "bextr")
          for width in (32, 64)],
    ),
    "blended": (
        "x86.sse41.pblendvb", "x86.sse41.blendvps", "x86.sse41.blendvpd", "x86.avx2.pblendvb",
        "x86.avx.blendv.ps.256", "x86.avx.blendv.pd.256",
    ),
    "tests": (
        "x86.sse41.ptestz", "x86.sse41.ptestc", "x86.sse41.ptestnzc", "x86.avx.ptestz.256",
        "x86.avx.ptestc.256", "x86.avx.ptestnzc.256",
    ),
    "whole": (
        "x86.sse42.crc32.32.8", "x86.sse42.crc32.32.16", "x86.sse42.crc32.32.32",
        "x86.sse42.crc32.64.64",
    ),
}  # fmt: skip
_MAX_WORDS = 6  # x86.ssse3.pmadd.ub.sw.128
_BY_NAME = {name: rule for rule, names in _RULES.items() for name in names}
_FIRST_ARGUMENT_ONLY = frozenset(("first", "same", "any", "reduce", "ones"))
_MASKED_LOADS = ("llvm.masked.load.", "llvm.masked.expandload.", "llvm.masked.gather.")
_MASKED_STORES = ("llvm.masked.store.", "llvm.masked.compressstore.", "llvm.masked.scatter.")
_FLAGGED = frozenset(("abs",))  # their last argument is a constant that says how


def intrinsic_rule(call: Call | CallTerminator) -> tuple[str, str]:
    """(rule, name without types) of a call; ("", "") when there is no rule."""
    callee = call.operands[0]
    if not isinstance(callee, Function) or not callee.is_intrinsic:
        return "", ""
    words = callee.name.split(".")[1:]
    for count in range(min(len(words), _MAX_WORDS), 0, -1):
        name = ".".join(words[:count])
        if name in _BY_NAME:
            return _BY_NAME[name], name
    rule = processor_rule(callee.name)
    return (rule, ".".join(words)) if rule else ("", "")


def reaching_arguments(call: Call | CallTerminator) -> list[Value]:
    """Arguments whose undefined bits make bits of the result undefined."""
    rule, name = intrinsic_rule(call)
    if not rule:
        return []
    if rule in _FIRST_ARGUMENT_ONLY or name in _FLAGGED:
        return call.arguments[:1]
    return call.arguments


def is_masked_load(instruction: Instruction) -> bool:
    """Whether a vector is loaded, lane by lane."""
    return _is_one_of(instruction, _MASKED_LOADS)


def is_masked_store(instruction: Instruction) -> bool:
    """Whether a vector is stored, lane by lane."""
    return _is_one_of(instruction, _MASKED_STORES)


def _is_one_of(instruction: Instruction, prefixes: tuple[str, ...]) -> bool:
    if not isinstance(instruction, (Call, CallTerminator)):
        return False
    callee = instruction.operands[0]
    return isinstance(callee, Function) and callee.name.startswith(prefixes)
