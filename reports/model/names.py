"""Names of functions and types as the source has them, and how much of them is shown.

    demangled         of C++, Rust, D and Fortran; any other name stays
    shortened         template arguments that are wider than asked for end in `...`
    qualified_name    without result, template arguments and parameters: std::vector::push_back
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from irsan.reports.model.d_names import d_name
from irsan.reports.model.fortran_names import fortran_name
from irsan.reports.model.rust_names import rust_name

_CUT: Final = "..."
# `operator<<` and similar hold brackets that open and close nothing, and so do arrows.
_TOKEN: Final = re.compile(
    r"operator(?:<=>|<<=?|>>=?|<=?|>=?|->\*?|\(\))|->|[<>(),{}]|[^<>(),{}\-o]+|."
)
_OPENING: Final = ("<", "(", "{")
_CLOSING: Final = (">", ")", "}")
_ANY_WIDTH: Final = 1 << 30
_MAX_DEPTH: Final = 60
_TAG: Final = re.compile(r"\[abi:\w+\]")
_SOURCE_NAME: Final = re.compile(r"(\d+)")
_ABBREVIATIONS: Final = {
    "St": "std", "Sa": "std::allocator", "Sb": "std::basic_string", "Ss": "std::string",
    "Si": "std::istream", "So": "std::ostream", "Sd": "std::iostream",
}  # fmt: skip


@lru_cache(maxsize=4096)
def demangled(name: str) -> str:
    """A C++, Rust, D or Fortran name as written in the source; anything else unchanged."""
    if not name.startswith(("_Z", "__Z", "_R", "__R")):
        return d_name(name) or fortran_name(name) or name
    rust = rust_name(name)
    if rust is not None:
        return rust
    try:
        import cxxfilt
    except Exception:  # without a C++ library the raw name is honest
        return name
    try:
        return str(cxxfilt.demangle(name))
    except cxxfilt.Error:  # no name, or one that the library is too old for
        return _beginning(name) or name


@lru_cache(maxsize=4096)
def shortened(name: str, width: int) -> str:
    """A demangled name whose template arguments are at most `width` characters, without ABI tags.

    width: 0 leaves the name as it is
    """
    if not width:
        return name
    name = _TAG.sub("", name)
    if "<" not in name:
        return name
    pieces, is_whole = _pieces(iter(_TOKEN.findall(name)), 0)
    return _written(pieces, width) if is_whole else name


@lru_cache(maxsize=4096)
def qualified_name(name: str) -> str:
    """A demangled name without result type, template arguments and parameters.

    Of a Rust name that begins with a type, `<Type as Trait>::function`, the type.
    """
    if name.startswith("<"):
        return re.split(r" as |[<>]", name[1:])[0].lstrip("&*")
    text, depth = "", 0
    for token in _TOKEN.findall(name.replace("(anonymous namespace)", "anonymous")):
        if token == "(" and depth == 0 and text:
            break
        depth += (token in _OPENING) - (token in _CLOSING)
        if depth == 0 and token not in _CLOSING:
            text += token
    before, operator, after = text.partition("operator")
    return before.rpartition(" ")[2] + operator + after.rstrip()


_Pieces = list["str | list[_Pieces]"]


def _pieces(tokens: Iterator[str], depth: int) -> tuple[_Pieces, bool]:
    """Text and lists of template arguments, each of those pieces again, up to the end of the name.

    The second result says whether all brackets match.
    """
    pieces: _Pieces = []
    for token in tokens:
        if token == ">":
            return pieces, False
        if token != "<":
            pieces.append(token)
            continue
        arguments, is_whole = _arguments(tokens, depth + 1)
        pieces.append(arguments)
        if not is_whole:
            return pieces, False
    return pieces, True


def _arguments(tokens: Iterator[str], depth: int) -> tuple[list[_Pieces], bool]:
    arguments: list[_Pieces] = [[]]
    n_open = 0
    for token in tokens:
        if token == ">" and n_open == 0:
            return arguments, True
        n_open += (token == "(") - (token == ")")
        if token == "," and n_open == 0:
            arguments.append([])
        elif token == "<" and depth < _MAX_DEPTH:
            inner, is_whole = _arguments(tokens, depth + 1)
            arguments[-1].append(inner)
            if not is_whole:
                break
        else:
            arguments[-1].append(token)
    return arguments, False


def _written(pieces: _Pieces, width: int) -> str:
    return "".join(p if isinstance(p, str) else f"<{_fitting(p, width)}>" for p in pieces)


def _fitting(arguments: list[_Pieces], width: int) -> str:
    """As many arguments as fit, the first of them shortened itself if need be."""
    whole = ",".join(_written(each, _ANY_WIDTH) for each in arguments)
    if len(whole.strip()) <= width:
        return whole
    if width <= len(_CUT):
        return _CUT
    kept, n_kept = "", 0
    for argument in arguments:
        room = width - len(kept) - (len(_CUT) + 2) * (len(arguments) > 1)
        tried = (_written(argument, narrower).strip() for narrower in _narrower(width))
        found = next((text for text in tried if len(text) <= room), None)
        if found is None:
            break
        kept, n_kept = f"{kept}, {found}" if kept else found, n_kept + 1
    if n_kept == len(arguments):
        return kept
    return f"{kept}, {_CUT}" if kept else _CUT


def _narrower(width: int) -> tuple[int, ...]:
    return _ANY_WIDTH, width // 2, width // 4, 0


def _beginning(symbol: str) -> str:
    """The part of a C++ name that can be read without its types; empty when there is none."""
    text = symbol[symbol.index("Z") + 1 :]
    is_nested = text.startswith("N")
    text = re.sub(r"^N[KVrRO]*", "", text)
    names: list[str] = []
    while text:
        abbreviation = _ABBREVIATIONS.get(text[:2])
        digits = _SOURCE_NAME.match(text)
        if abbreviation and not names:
            names, text = [abbreviation], text[2:]
        elif digits:
            end = digits.end() + int(digits[0])
            names.append(text[digits.end() : end])
            text = _without_tags(text[end:])
        elif text[:2] in ("C1", "C2", "D0", "D1", "D2") and names:
            names, text = [*names, "~" * (text[0] == "D") + names[-1]], _without_tags(text[2:])
        else:
            break
        if not is_nested and digits:
            break
    if not names:
        return ""
    return "::".join(names) + (f"<{_CUT}>" if text.startswith("I") else "")


def _without_tags(text: str) -> str:
    """Cut ABI tags off: `B` and a source name each."""
    while (tag := re.match(r"B(\d+)", text)) is not None:
        text = text[tag.end() + int(tag[1]) :]
    return text
