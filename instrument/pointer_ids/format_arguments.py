"""What printf and similar read and write through their arguments, as a constant format says.

    printf("%d %s\\n", i, p)     one byte at least is read at p
    printf("%.*s %n", n, p, &c)  nothing is known of p's bytes; four are written at &c
    fputs(p, f)                  a text of which one byte at least is read

Formats that are no constants are not looked at, nor are what follows a numbered argument (`%1$s`)
or a conversion that is not known; v-forms have their arguments in a list, which is not followed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from irsan.ir.constants import ConstantBytes, ConstantData, ConstantNull
from irsan.ir.values import GlobalVariable, Value

_FORMATS: Final = {
    "printf": 0, "fprintf": 1, "dprintf": 1, "sprintf": 1, "snprintf": 2, "asprintf": 1,
    "__printf_chk": 1, "__fprintf_chk": 2, "__sprintf_chk": 3, "__snprintf_chk": 4,
    "__asprintf_chk": 2, "__dprintf_chk": 2, "syslog": 1,
    "wprintf": 0, "fwprintf": 1, "swprintf": 2, "__wprintf_chk": 1, "__fwprintf_chk": 2,
    "__swprintf_chk": 4,
}  # fmt: skip
_NUMBERS: Final = ("strtol", "strtoll", "strtoul", "strtoull", "strtod", "strtof", "strtold")
_TEXTS: Final = {
    **dict.fromkeys(("fputs", "fputws", "getenv", "unlink", "opendir", "system"), (0,)),
    **dict.fromkeys((*_NUMBERS, *(f"__isoc23_{name}" for name in _NUMBERS)), (0,)),
    **dict.fromkeys(("fopen", "fopen64", "setenv", "rename", "sscanf"), (0, 1)),
    **dict.fromkeys(("__isoc99_sscanf", "__isoc23_sscanf"), (0, 1)),
}
_CONVERSION: Final = re.compile(
    r"%(?P<flags>[-+ #0'I]*)(?P<width>\*|\d*)(?:\.(?P<precision>\*|-?\d*))?"
    r"(?P<length>hh|h|ll|l|q|L|j|z|t|Z)?(?P<letter>.?)",
    re.DOTALL,
)
_ONE_ARGUMENT: Final = frozenset("diouxXcCpbBeEfFgGaA")
_COUNTED_BYTES: Final = {"": 4, "hh": 1, "h": 2}


class Touched(NamedTuple):
    """Argument `place` of the call is a pointer to so many bytes, at least."""

    place: int
    n_bytes: int
    is_write: bool


def touched_arguments(name: str, arguments: Sequence[Value]) -> Iterator[Touched]:
    """The pointers of one call of a library function that are surely used."""
    for index in _TEXTS.get(name, ()):
        if index < len(arguments):
            yield Touched(index, 1, is_write=False)
    at = _FORMATS.get(name)
    text = constant_text(arguments[at]) if at is not None and at < len(arguments) else None
    if at is None or text is None:
        return
    for touched in _touched_by(text):
        index = at + 1 + touched.place
        if index >= len(arguments):
            return
        yield touched._replace(place=index)


def constant_text(value: Value) -> str | None:
    """The characters of a constant string, of one byte or four each, up to the zero."""
    if not isinstance(value, GlobalVariable) or not value.is_constant:
        return None
    held = value.initializer
    if isinstance(held, ConstantNull):
        return ""
    if isinstance(held, ConstantBytes):
        return held.contents.split(b"\0")[0].decode("latin-1")
    if isinstance(held, ConstantData):
        codes = [code if 0 <= code < 0x11_0000 else 0xFFFD for code in held.values]
        return "".join(map(chr, codes)).split("\0")[0]
    return None


def _touched_by(text: str) -> Iterator[Touched]:
    """By number of the argument behind the format."""
    index = 0
    for found in _CONVERSION.finditer(text):
        letter = found["letter"]
        if letter in ("%", "m"):
            continue
        index += (found["width"] == "*") + (found["precision"] == "*")
        if letter in ("s", "S"):
            if found["precision"] is None or found["precision"].strip("0") not in ("", "*"):
                is_wide = letter == "S" or found["length"] == "l"
                yield Touched(index, 4 if is_wide else 1, is_write=False)
        elif letter == "n":
            yield Touched(index, _COUNTED_BYTES.get(found["length"] or "", 8), is_write=True)
        elif letter not in _ONE_ARGUMENT:
            return
        index += 1
