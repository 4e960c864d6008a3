"""LLVM assembly text of versions up to 18 as the current LLVM reads it.

    i8* addrspace(1)*     ptr                  a type that ends in `*`, however it is built
    inrange i32 0         i32 0                said for an index, up to LLVM 18

LLVM upgrades all older bitcode, but its text has no versions: what a newer LLVM writes otherwise is
an error there. Everything else that has changed (names of intrinsics, attributes, debug
information) LLVM's parser upgrades by itself.

Source: the LLVM documents, "Opaque Pointers", and "LLVM Language Reference Manual" of 14 to 19.
"""

from __future__ import annotations

import re
from typing import Final

_TOKEN: Final = re.compile(
    r";[^\n]*"  # a comment
    r'|[%@$!^]?"[^"]*"'  # a string or a quoted name: a quote within is \22
    r"|[%@$!^#]?[-\w.$\\]+"
    r"|\s+"
    r"|.",
    re.DOTALL,
)
_OPENING: Final = {")": "(", "]": "[", "}": "{", ">": "<"}
_POINTER: Final = "ptr"
_WRITER: Final = re.compile(r"\b(\w+) version (\d+)\.")


def has_older_types(text: str) -> bool:
    """Whether a text may have pointers of a type, or indices `inrange`."""
    return "*" in text or "inrange" in text


def modernised(text: str) -> str:
    """The text as the current LLVM would have written these places."""
    kept: list[str] = []
    tokens = _TOKEN.findall(text)
    for token, following in zip(tokens, [*tokens[1:], ""], strict=True):
        if token == "*":
            start, space = _pointee(kept)
            del kept[start:]
            kept.append(_POINTER + space)
        elif token != "inrange" or following == "(":
            kept.append(token)
    return "".join(kept)


def text_writer(text: str) -> tuple[str, int] | None:
    """Who wrote a text, as its identification says: ("clang", 14); None where it does not."""
    found = [(name, int(major)) for name, major in _WRITER.findall(text)]
    clangs = [one for one in found if one[0] in ("clang", "flang")]
    return max(clangs or found, key=lambda one: one[1], default=None)


def _pointee(tokens: list[str]) -> tuple[int, str]:
    """Where the type that ends the tokens begins, and the address space said behind it."""
    start = _type_start(tokens, len(tokens))
    at = _before(tokens, len(tokens))
    if at > 0 and tokens[at - 1] == ")":
        opened = _opening(tokens, at - 1)
        named = _before(tokens, opened)
        if named > 0 and tokens[named - 1] == "addrspace":
            return _type_start(tokens, named - 1), " " + "".join(tokens[named - 1 : at])
    return start, ""


def _type_start(tokens: list[str], end: int) -> int:
    """The first token of the type whose last token is before `end`."""
    at = _before(tokens, end) - 1
    if at < 0:
        return 0
    last = tokens[at]
    if last not in _OPENING:
        return at
    opened = _opening(tokens, at)
    if last != ")":
        return opened
    named = _before(tokens, opened)
    if named > 0 and tokens[named - 1] == "addrspace":  # `ptr addrspace(1)`
        return _type_start(tokens, named - 1)
    return _type_start(tokens, opened)  # the result of a function type


def _opening(tokens: list[str], at: int) -> int:
    """The bracket that the one at `at` closes; 0 when there is none."""
    closing, depth = tokens[at], 0
    while at > 0:
        depth += (tokens[at] == closing) - (tokens[at] == _OPENING[closing])
        if depth == 0:
            return at
        at -= 1
    return 0


def _before(tokens: list[str], end: int) -> int:
    """`end` without blanks and comments in front of it."""
    while end > 0 and (tokens[end - 1].isspace() or tokens[end - 1].startswith(";")):
        end -= 1
    return end
