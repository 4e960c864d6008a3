"""Glue for uninitialised values: where shadow is, inlined, and the ways out of line.

    __irsan_bits_from(p)        min(p, end of covered memory) + SHADOW_BIAS: zeroes lie there
    __irsan_bits_to(p)          the same with ANYWHERE, which is written and never read
    __irsan_bits_at(p)          p + SHADOW_BIAS, for what surely is covered
    __irsan_bits_passed(n)      a constant: the area for the shadow of arguments, at byte n
    __irsan_uninit_use(place, n, site)      asks the kernel; preserve_mostcc, noinline, cold
    __irsan_bits_shown(place, n)            the same: a value is loaded, and used later

The slow ways put the site back that was known before: code behind them relies on it.
"""

from __future__ import annotations

from irsan.engine.glue.text import at_site
from irsan.instrument.hooks import HOOKS
from irsan.runtime.layout import uninit_layout as ul

_USE, _STORED = "__irsan_uninit_use", "__irsan_uninit_stored"
_CONSTANTS = {
    "__irsan_bits_result": ul.RESULT,
    "__irsan_bits_result_place": ul.RESULT_ORIGIN,
    "__irsan_bits_callee": ul.ARGUMENTS_FOR,
    "__irsan_bits_returned": ul.RESULT_OF,
    "__irsan_bits_variadic_set": ul.VARIADIC_SET_FOR,
    "__irsan_bits_variadic_on_stack": ul.VARIADIC_ON_STACK,
}
_AREAS = {
    "__irsan_bits_passed": ul.PASSED,
    "__irsan_bits_passed_place": ul.PASSED_ORIGINS,
    "__irsan_bits_variadic": ul.VARIADIC,
    "__irsan_bits_variadic_place": ul.VARIADIC_ORIGINS,
}

# What lies below belonged to calls that have returned.
_FRAME = (
    "%frame = call ptr @llvm.frameaddress.p0(i32 0)",
    "%sp = ptrtoint ptr %frame to i64",
)


def inlined_bits() -> str:
    """Definitions of the hooks that are inlined into programs."""
    parts = [
        _address("__irsan_bits_from", ul.NOWHERE - ul.SHADOW_BIAS),
        _address("__irsan_bits_to", ul.ANYWHERE - ul.SHADOW_BIAS),
        _address("__irsan_bits_at", 0),
    ]
    parts += [
        f"define ptr @{name}() alwaysinline nounwind {{\nret ptr inttoptr (i64 {addr} to ptr)\n}}"
        for name, addr in _CONSTANTS.items()
    ]
    parts += [
        f"define ptr @{name}(i64 %n) alwaysinline nounwind {{\n%a = add i64 %n, {addr}\n"
        "%p = inttoptr i64 %a to ptr\nret ptr %p\n}"
        for name, addr in _AREAS.items()
    ]
    return "\n".join(parts)


def inlined_bits_names() -> list[str]:
    """Names that `inlined_bits` defines."""
    return [hook.name for hook in HOOKS.values() if hook.group == "bits"]


def outlined_bits() -> str:
    """Definitions that live in the runtime object only."""
    return "\n".join([_use(), _stored(), _shown(), _variadic(), *_ranges()])


def _address(name: str, limit: int) -> str:
    """Shadow of an address, which is `limit` at most; 0: there is none."""
    least = [f"%covered = icmp ult i64 %a, {limit}",
             f"%b = select i1 %covered, i64 %a, i64 {limit}"]  # fmt: skip
    return "\n".join(
        [
            f"define ptr @{name}(ptr %p) alwaysinline nounwind {{",
            "%a = ptrtoint ptr %p to i64",
            *(least if limit else ()),
            f"%at = add i64 {'%b' if limit else '%a'}, {ul.SHADOW_BIAS}",
            "%r = inttoptr i64 %at to ptr",
            "ret ptr %r\n}",
        ]
    )


def _use() -> str:
    return "\n".join(
        [
            f"define preserve_mostcc void @{_USE}(ptr %p, i64 %n, i32 %site)"
            " noinline cold nounwind {",
            "%a = ptrtoint ptr %p to i64",
            *_FRAME,
            *at_site("call void @k.uninit_use(i64 %a, i64 %n, i64 %sp)"),
        ]
    )


def _stored() -> str:
    return "\n".join(
        [
            f"define preserve_mostcc void @{_STORED}(ptr %p, i64 %n, ptr %q, i64 %size, i32 %site)"
            " noinline cold nounwind {",
            "%a = ptrtoint ptr %p to i64",
            "%b = ptrtoint ptr %q to i64",
            *_FRAME,
            *at_site("call void @k.uninit_stored(i64 %a, i64 %n, i64 %b, i64 %size, i64 %sp)"),
        ]
    )


def _variadic() -> str:
    return "\n".join(
        [
            "define i64 @__irsan_uninit_variadic(ptr %p, ptr %q, i32 %site) noinline nounwind {",
            "%a = ptrtoint ptr %p to i64",
            "%b = ptrtoint ptr %q to i64",
            *_FRAME,
            *at_site("%told = call i64 @k.variadic_take(i64 %a, i64 %b, i64 %sp)")[:-1],
            "ret i64 %told\n}",
        ]
    )


def _shown() -> str:
    return "\n".join(
        [
            "define preserve_mostcc void @__irsan_bits_shown(ptr %p, i64 %n)"
            " noinline cold nounwind {",
            "%a = ptrtoint ptr %p to i64",
            *_FRAME,
            "call void @k.shown_bits(i64 %a, i64 %n, i64 %sp)",
            "ret void\n}",
        ]
    )


def _ranges() -> list[str]:
    at = "%a = ptrtoint ptr %p to i64\n"
    return [
        "define void @__irsan_bits_begin(ptr %p, i64 %n, i32 %origin) nounwind {\n"
        f"{at}call void @k.stack_begin(i64 %a, i64 %n, i32 %origin)\nret void\n}}",
        f"define void @__irsan_bits_clear(ptr %p, i64 %n) nounwind {{\n{at}"
        "call void @k.bits_clear(i64 %a, i64 %n)\nret void\n}",
        f"define void @__irsan_bits_copy(ptr %p, ptr %q, i64 %n) nounwind {{\n{at}"
        "%b = ptrtoint ptr %q to i64\ncall void @k.bits_copy(i64 %a, i64 %b, i64 %n)\nret void\n}",
        "define void @__irsan_bits_variadic_begin(ptr %p, i64 %n) nounwind {\n"
        f"{at}call void @k.variadic_begin(i64 %a, i64 %n)\nret void\n}}",
        "define void @__irsan_bits_variadic_copy(i64 %offset, ptr %p, i64 %n) nounwind {\n"
        f"{at}call void @k.variadic_copy(i64 %offset, i64 %a, i64 %n)\nret void\n}}",
        "define void @__irsan_bits_variadic_forward(ptr %p, ptr %q, i64 %n) nounwind {\n"
        f"{at}%b = ptrtoint ptr %q to i64\n"
        "call void @k.variadic_forward(i64 %a, i64 %b, i64 %n)\nret void\n}",
    ]
