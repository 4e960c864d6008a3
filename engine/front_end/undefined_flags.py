"""Which checks of undefined behaviour the compiler is to insert, and by which options.

    --sanitize undefined                    clang's group `undefined`, and nullability
    --cflag=-fno-sanitize=alignment         one of them less
    --cflag=-fsanitize=integer              more of them: suspicious, but defined
    --cflag=-fno-sanitize-recover=bounds    the program ends by the first of that sort

The driver does not get them: clang's would link its own run-time's options in, zig's has a
mind of its own. `-Xclang` reaches the compiler proper, which knows single checks only, so groups
are taken apart here.

Source: clang's Sanitizers.def and "UndefinedBehaviorSanitizer" in its documentation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

_SHIFT: Final = ("shift-base", "shift-exponent")
_BOUNDS: Final = ("array-bounds", "local-bounds")
_NULLABILITY: Final = ("nullability-arg", "nullability-assign", "nullability-return")
_UNDEFINED: Final = (
    "alignment", "array-bounds", "bool", "builtin", "enum", "float-cast-overflow", "function",
    "integer-divide-by-zero", "nonnull-attribute", "null", "object-size", "pointer-overflow",
    "return", "returns-nonnull-attribute", *_SHIFT, "signed-integer-overflow", "unreachable",
    "vla-bound", "vptr",
)  # fmt: skip
_TRUNCATION: Final = (
    "implicit-unsigned-integer-truncation", "implicit-signed-integer-truncation",
)  # fmt: skip
_CONVERSION: Final = (*_TRUNCATION, "implicit-integer-sign-change")
_INTEGER: Final = (
    *_CONVERSION, "integer-divide-by-zero", *_SHIFT, "signed-integer-overflow",
    "unsigned-integer-overflow", "unsigned-shift-base",
)  # fmt: skip
_BITFIELD: Final = "implicit-bitfield-conversion"
_OLDEST_CLANG: Final = {_BITFIELD: 19}  # of checks that are newer than the oldest one in use
_ALONE: Final = ("float-divide-by-zero", _BITFIELD, "local-bounds")
_GROUPS: Final = {
    "undefined": _UNDEFINED,
    "shift": _SHIFT,
    "bounds": _BOUNDS,
    "nullability": _NULLABILITY,
    "implicit-integer-truncation": _TRUNCATION,
    "implicit-integer-arithmetic-value-change": (_TRUNCATION[1], _CONVERSION[2]),
    "implicit-integer-conversion": _CONVERSION,
    "implicit-conversion": (*_CONVERSION, _BITFIELD),
    "integer": _INTEGER,
}
CHECKS: Final = frozenset((*_UNDEFINED, *_NULLABILITY, *_INTEGER, *_ALONE))
"""Every check that has a name of its own."""
DEFAULT_CHECKS: Final = frozenset((*_UNDEFINED, *_NULLABILITY))
UNDEFINED_NOTICE: Final = (
    "--sanitize undefined compiles C and C++ with -fsanitize=undefined,nullability "
    "(--cflag=-fno-sanitize=... leaves checks out)"
)
_ALWAYS_FATAL: Final = frozenset(("return", "unreachable"))
_WITHOUT_OBJECT_SIZES: Final = 0  # the -O level at which no size is known
_ON, _OFF = "-fsanitize=", "-fno-sanitize="
_RECOVER, _STOP = "-fsanitize-recover", "-fno-sanitize-recover"


def undefined_words(cflags: Sequence[str], opt_level: int, clang: int) -> tuple[str, ...]:
    """The compiler's words for the checks, after the user's flags; () when none is left.

    opt_level: the -O level;  clang: the compiler's major version.
    """
    checks = set(DEFAULT_CHECKS)
    fatal = set(_ALWAYS_FATAL)
    if "-fno-rtti" in cflags:
        checks.discard("vptr")
    if opt_level == _WITHOUT_OBJECT_SIZES:
        checks.discard("object-size")
    for word in cflags:
        name, _, value = word.partition("=")
        named = _named(value) if "=" in word else CHECKS
        if name == _ON[:-1]:
            checks |= named
        elif name == _OFF[:-1]:
            checks -= named
        elif name == _STOP:
            fatal |= named
        elif name == _RECOVER:
            fatal -= named - _ALWAYS_FATAL
    checks -= {name for name, oldest in _OLDEST_CLANG.items() if clang < oldest}
    if not checks:
        return ()
    recovering = sorted(checks - fatal)
    words = ["-Xclang", _ON + ",".join(sorted(checks))]
    if recovering:
        words += ["-Xclang", f"{_RECOVER}={','.join(recovering)}"]
    return tuple(words)


def other_words(cflags: Sequence[str]) -> Iterator[str]:
    """The user's flags without what `undefined_words` has heeded."""
    for word in cflags:
        if word in (_RECOVER, _STOP):
            continue
        name, equals, value = word.partition("=")
        if not equals or f"{name}=" not in (_ON, _OFF, f"{_RECOVER}=", f"{_STOP}="):
            yield word
            continue
        kept = [part for part in value.split(",") if not _named(part)]
        if kept:
            yield f"{name}={','.join(kept)}"


def _named(value: str) -> frozenset[str]:
    """The checks of a comma list; names of other sanitizers are none."""
    found: set[str] = set()
    for part in value.split(","):
        found |= CHECKS if part == "all" else set(_GROUPS.get(part, (part,))) & CHECKS
    return frozenset(found)
