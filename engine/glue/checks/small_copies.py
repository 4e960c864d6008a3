"""Glue for small copies: the shadow of both ranges in one look each, and the work inlined.

    __irsan_small_memcpy_both(d, s, n):    n is a constant, at most 56 bytes

        8 bytes of shadow at d, those that n bytes touch: 0?  -no->  __asan_memcpy(d, s, n)
            | yes          the same of s
        races ignored?                                        -no->  __asan_memcpy(d, s, n)
            | yes
        d and s overlap, and differ?                          -yes-> __asan_memcpy(d, s, n)
            | no                                              (memmove: not asked)
        llvm.memcpy(d, s, n)

    __irsan_small_memcpy_both_to(d, s, n):   asks for d alone: s is a variable that lives, as is its
                                             shadow; .._from for s alone

A last granule that is accessible in part is left to the hook that is called, as is all that is to
be reported.  Eight granules hold any 56 bytes, wherever in the first one they begin.  A structure
that is assigned to itself is usual where a loop moves up what it keeps (*to++ = *from++).
"""

from __future__ import annotations

from collections.abc import Iterator

from irsan.engine.glue.text import LIKELY
from irsan.instrument.hooks import HOOKS, SHADOW_OFFSET, SIDES, Hook


def small_copies() -> str:
    """Definitions of all hooks of small copies."""
    return "\n".join(_definition(hook) for hook in HOOKS.values() if hook.group == "small")


def small_declarations() -> str:
    """Declarations of what they call, for the module that is linked into programs."""
    called = dict.fromkeys(_whole_name(hook) for hook in HOOKS.values() if hook.group == "small")
    return "\n".join(f"declare {_signature(HOOKS[name], '')}" for name in called)


def _whole_name(hook: Hook) -> str:
    """The hook that does the same by a call."""
    word, checks, _ = hook.operation.split("_")
    return ("__tsan_" if checks == "thread" else "__asan_") + word


def _signature(hook: Hook, register: str) -> str:
    words = [f"{kind} {register}{n}" if register else kind for n, kind in enumerate(hook.arguments)]
    return f"{hook.result} @{hook.name}({', '.join(words)})"


def _definition(hook: Hook) -> str:
    word, checks, side = hook.operation.split("_")
    return "\n".join(
        [
            f"define {_signature(hook, '%a')} alwaysinline nounwind {{",
            *_questions(word, checks, side),
            "br label %fast",
            "fast:",
            *_work(word),
            "br label %done",
            "slow:",
            f"call {_signature(HOOKS[_whole_name(hook)], '%a')}",
            "br label %done",
            "done:",
            "ret ptr %a0",
            "}",
        ]
    )


def _questions(word: str, checks: str, side: str) -> Iterator[str]:
    """Each goes on where nothing speaks against the fast way."""
    n_pointers = 1 if word == "memset" else 2
    for number in range(n_pointers):
        yield f"%at{number} = ptrtoint ptr %a{number} to i64"
    if checks != "address":
        yield "%ignored = call i1 @__irsan_races_ignored()"
        yield f"br i1 %ignored, label %look, label %slow, !prof {LIKELY}"
        yield "look:"
    if checks != "thread":
        for number in range(n_pointers):
            if side in ("", SIDES[number]):
                yield from _look(number)
    if word == "memcpy":
        yield "%apart = sub i64 %at0, %at1"
        yield "%back = sub i64 %at1, %at0"
        yield "%nearest = call i64 @llvm.umin.i64(i64 %apart, i64 %back)"
        yield "%behind = sub i64 %nearest, 1"  # the same address is far away
        yield "%last = sub i64 %a2, 1"
        yield "%separate = icmp uge i64 %behind, %last"
        yield f"br i1 %separate, label %go, label %slow, !prof {LIKELY}"
        yield "go:"


def _look(number: int) -> Iterator[str]:
    yield f"%low{number} = and i64 %at{number}, 7"
    yield f"%end{number} = add i64 %low{number}, %a2"
    yield f"%up{number} = add i64 %end{number}, 7"
    yield f"%bits{number} = and i64 %up{number}, -8"  # 8 for each granule
    yield f"%left{number} = sub i64 64, %bits{number}"
    yield f"%granule{number} = lshr i64 %at{number}, 3"
    yield f"%from{number} = add i64 %granule{number}, {SHADOW_OFFSET}"
    yield f"%shadow{number} = inttoptr i64 %from{number} to ptr"
    yield f"%word{number} = load i64, ptr %shadow{number}, align 1"
    yield f"%touched{number} = shl i64 %word{number}, %left{number}"
    yield f"%clean{number} = icmp eq i64 %touched{number}, 0"
    yield f"br i1 %clean{number}, label %clear{number}, label %slow, !prof {LIKELY}"
    yield f"clear{number}:"


def _work(word: str) -> list[str]:
    if word == "memset":
        return [
            "%byte = trunc i32 %a1 to i8",
            "call void @llvm.memset.p0.i64(ptr %a0, i8 %byte, i64 %a2, i1 false)",
        ]
    return [f"call void @llvm.{word}.p0.p0.i64(ptr %a0, ptr %a1, i64 %a2, i1 false)"]
