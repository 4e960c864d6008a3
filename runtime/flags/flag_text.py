"""The grammar of option strings and of single values.

    options := (separator* name '=' value)* separator*
    value   := "'" any but "'" * "'"  |  '"' any but '"' * '"'  |  (word (',' word)*)?
    word := any but separators +
    separator := ':' ',' ' ' TAB LF CR

A word behind a comma that has no '=' goes on with the value (`sanitize=address,undefined`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from irsan.runtime.flags.flag_table import Flag, FlagValue

_SEPARATORS = ":, \t\n\r"
_WORDS = rf"(?: [^{_SEPARATORS}]+ (?: , [^={_SEPARATORS}]+ (?=[{_SEPARATORS}]|\Z) )* )?"
_FLAG = re.compile(
    rf"""[{_SEPARATORS}]* (?P<name>[^={_SEPARATORS}]+)
         (?: = (?: "(?P<double>[^"]*)" | '(?P<single>[^']*)' | (?P<bare>{_WORDS}) ) )?
         (?=[{_SEPARATORS}]|\Z)""",
    re.VERBOSE,
)
_BLANK = re.compile(rf"[{_SEPARATORS}]*\Z")
_TRUE = ("1", "yes", "true")
_FALSE = ("0", "no", "false")
_NUMBER = re.compile(r"[-+]?(0[xX][0-9a-fA-F]+|[0-9]+)\Z")


class FlagSyntaxError(ValueError):
    """An option string does not follow the grammar; raised where it stops doing so."""


def split_flags(text: str) -> Iterator[tuple[str, str]]:
    """Yield (name, value) in order, quotes removed.

    Raises FlagSyntaxError at a flag without '=', an open quote, or a name without letters.
    """
    position = 0
    while not _BLANK.match(text, position):
        match = _FLAG.match(text, position)
        if match is None:
            raise FlagSyntaxError(f"cannot read {text[position:].strip(_SEPARATORS)!r}")
        values = match.group("double", "single", "bare")
        value = next((v for v in values if v is not None), None)
        if value is None:
            raise FlagSyntaxError(f"expected '=' after {match['name']!r}")
        if value[:1] in ("'", '"') and match["bare"] is not None:
            raise FlagSyntaxError(f"open quote in {match['name']}={value}")
        yield match["name"], value
        position = match.end()


def text_to_value(flag: Flag, text: str) -> FlagValue:
    """Convert the text of a value; ValueError names the allowed values."""
    if flag.type == "bool":
        return _text_to_bool(text)
    if flag.type in ("int", "uptr"):
        return _text_to_int(text, unsigned=flag.type == "uptr")
    if flag.type == "enum":
        return _text_to_choice(text, flag.choices)
    return text


def _text_to_bool(text: str) -> bool:
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    raise ValueError("expected 0, 1, yes, no, true or false")


def _text_to_int(text: str, *, unsigned: bool) -> int:
    if not _NUMBER.match(text):
        raise ValueError("expected a number")
    value = int(text, 16) if "x" in text.lower() else int(text)
    if unsigned and value < 0:
        raise ValueError("expected a number that is not negative")
    return value


def _text_to_choice(text: str, choices: tuple[str, ...]) -> str:
    if text in choices:
        return text
    # Signal modes are also written as numbers and truth values.
    aliases = {"0": "no", "false": "no", "1": "yes", "true": "yes", "2": "exclusive"}
    if aliases.get(text) in choices:
        return aliases[text]
    raise ValueError("expected " + " or ".join(choices))
