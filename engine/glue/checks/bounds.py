"""Glue for exact objects: one subtraction and one comparison, inlined into the guest.

    __irsan_bounds_check(p, lo, length, info, site):

        p - lo < length  -yes->  done
            | no
        __irsan_slow_bounds(p, lo, length, info, site)      preserve_mostcc, noinline

    __irsan_object_lo(root)      asks the kernel, which leaves the length in ctx.bounds[0]
    __irsan_object_length()      that length, read at once

The slow path puts the site back that was known before: code behind a check relies on it.
"""

from __future__ import annotations

from irsan.engine.glue.text import LIKELY, at_site, context_field

_CHECK, _RANGE = "__irsan_bounds_check", "__irsan_bounds_range"
_LO, _LENGTH = "__irsan_object_lo", "__irsan_object_length"
_SLOW = "declare preserve_mostcc void @__irsan_slow_bounds(i64, i64, i64, i64, i32) cold"


def inlined_bounds() -> str:
    """Definitions of the hooks that are inlined into programs."""
    return "\n".join([_check(), _length()])


def inlined_bounds_names() -> list[str]:
    """Names that `inlined_bounds` defines."""
    return [_CHECK, _LENGTH]


def bounds_declarations() -> str:
    """Declarations of what the inlined hooks call."""
    return _SLOW


def outlined_bounds() -> str:
    """Definitions that live in the runtime object only."""
    return "\n".join([_question(), _range(), _slow()])


def _check() -> str:
    return "\n".join(
        [
            f"define void @{_CHECK}(ptr %p, ptr %lo, i64 %n, i64 %info, i32 %site)"
            " alwaysinline nounwind {",
            "%a = ptrtoint ptr %p to i64",
            "%b = ptrtoint ptr %lo to i64",
            "%offset = sub i64 %a, %b",
            "%inside = icmp ult i64 %offset, %n",
            f"br i1 %inside, label %done, label %slow, !prof {LIKELY}",
            "slow:",
            "call preserve_mostcc void @__irsan_slow_bounds("
            "i64 %a, i64 %b, i64 %n, i64 %info, i32 %site)",
            "br label %done",
            "done:\nret void\n}",
        ]
    )


def _length() -> str:
    return (
        f"define i64 @{_LENGTH}() alwaysinline nounwind {{\n"
        f"%n = load i64, {context_field('bounds')}\nret i64 %n\n}}"
    )


def _question() -> str:
    return "\n".join(
        [
            f"define ptr @{_LO}(ptr %p) nounwind {{",
            "%a = ptrtoint ptr %p to i64",
            "%lo = call i64 @k.object_lo(i64 %a)",
            "%r = inttoptr i64 %lo to ptr",
            "ret ptr %r\n}",
        ]
    )


def _slow() -> str:
    return "\n".join(
        [
            "define preserve_mostcc void @__irsan_slow_bounds("
            "i64 %a, i64 %lo, i64 %n, i64 %info, i32 %site) noinline cold nounwind {",
            *at_site("call void @k.bounds_left(i64 %a, i64 %lo, i64 %n, i64 %info)"),
        ]
    )


def _range() -> str:
    return "\n".join(
        [
            f"define void @{_RANGE}(ptr %p, ptr %b, i64 %n, i64 %size, i64 %info, i32 %site)"
            " nounwind {",
            "%a = ptrtoint ptr %p to i64",
            "%lo = ptrtoint ptr %b to i64",
            *at_site(
                "call void @k.bounds_range(i64 %a, i64 %lo, i64 %n, i64 %size, i64 %info)"
            ),
        ]
    )
