"""Names of Rust functions as written in the source: the v0 form (`_R...`) and the older one.

    _RNvCs1234_7mycrate3foo                       mycrate::foo
    _ZN4core3fmt5write17h0123456789abcdefE        core::fmt::write

Source: the Rust compiler's symbol mangling v0 (RFC 2603) and its legacy form.
Deviations: disambiguators of crates and the types of constants are left out, as in rustc's own
short form; what comes behind the name (`.llvm.1234`) is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

_MAX_DEPTH: Final = 64
_MAX_LENGTH: Final = 1 << 16  # back references can make short names enormous
_LETTERS: Final = 26
_LEGACY: Final = re.compile(r"_{0,2}ZN((?:\d+\D.*)?)17h[0-9a-f]{16}E(?:\..*)?$")
_ESCAPES: Final = {
    "SP": "@", "BP": "*", "RF": "&", "LT": "<", "GT": ">", "LP": "(", "RP": ")", "C": ",",
}  # fmt: skip
_ESCAPE: Final = re.compile(r"\$(?:([A-Z]+)|u([0-9a-f]+))\$|\.\.")
_BASIC_TYPES: Final = {
    "a": "i8", "b": "bool", "c": "char", "d": "f64", "e": "str", "f": "f32", "h": "u8",
    "i": "isize", "j": "usize", "l": "i32", "m": "u32", "n": "i128", "o": "u128", "p": "_",
    "s": "i16", "t": "u16", "u": "()", "v": "...", "x": "i64", "y": "u64", "z": "!",
}  # fmt: skip
_INTEGERS: Final = "ahijlmnostxy"
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


class _NoName(ValueError):
    """Not a name of the form that is being read."""


def rust_name(symbol: str) -> str | None:
    """The name of a Rust symbol in the source; None when it is not one, or a damaged one."""
    try:
        if symbol.startswith(("_R", "__R")):
            plain = symbol[symbol.index("R") + 1 :].partition(".")[0]
            return _Reader(plain).symbol()
        return _legacy_name(symbol)
    except (_NoName, IndexError, OverflowError, RecursionError):
        return None


def is_rust(symbol: str) -> bool:
    """Whether a symbol has one of the two forms of the Rust compiler."""
    return rust_name(symbol) is not None


def _legacy_name(symbol: str) -> str | None:
    found = _LEGACY.match(symbol)
    if found is None:
        return None
    rest, parts = found[1], []
    while rest:
        digits = re.match(r"\d+", rest)
        if digits is None or len(rest) < digits.end() + int(digits[0]):
            return None
        end = digits.end() + int(digits[0])
        parts.append(_unescaped(rest[digits.end() : end]))
        rest = rest[end:]
    return "::".join(parts) or None


def _unescaped(part: str) -> str:
    part = part[1:] if part.startswith("_$") else part
    return _ESCAPE.sub(_escape, part)


def _escape(found: re.Match[str]) -> str:
    if found[1]:
        return _ESCAPES.get(found[1], found[0])
    return _character(int(found[2], 16)) if found[2] else "::"


def _character(number: int) -> str:
    if number > 0x10FFFF or 0xD800 <= number < 0xE000:
        raise _NoName
    return chr(number)


class _Reader:
    """Reads one v0 name from left to right; each method reads one rule of the grammar."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0
        self._depth = self._length = 0
        self._n_bound = 0  # lifetimes bound by the `for<...>` around the present place

    def symbol(self) -> str:
        """The whole name; anything but the instantiating crate behind it is an error."""
        name = self._path(is_value=True)
        if self._at < len(self._text) and self._text[self._at] in "BCIMNXY":
            self._path(is_value=False)
        if self._at != len(self._text):
            raise _NoName
        return name

    def _next(self) -> str:
        self._at += 1
        return self._text[self._at - 1]

    def _skips(self, letter: str) -> bool:
        found = self._text.startswith(letter, self._at)
        self._at += found
        return found

    def _nested(self, read: Callable[[], str]) -> str:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise _NoName
        found = read()
        self._length += len(found)
        if self._length > _MAX_LENGTH * _MAX_DEPTH or len(found) > _MAX_LENGTH:
            raise _NoName
        self._depth -= 1
        return found

    def _number(self) -> int:
        """A base-62 number: `_` is 0, `0_` is 1."""
        if self._skips("_"):
            return 0
        value = 0
        while (letter := self._next()) != "_":
            value = value * len(_DIGITS) + _digit(letter)
        return value + 1

    def _optional_number(self, letter: str) -> int:
        """What stands behind an optional letter, counted from 1; 0 without."""
        return self._number() + 1 if self._skips(letter) else 0

    def _path(self, *, is_value: bool) -> str:
        return self._nested(lambda: self._path_of(self._next(), is_value))

    def _path_of(self, letter: str, is_value: bool) -> str:
        if letter == "C":
            return self._identifier()[0]
        if letter == "N":
            return self._inner_path(is_value)
        if letter in "MX":
            self._optional_number("s")
            self._path(is_value=False)  # of the impl block, which is never written
            return self._implemented(has_trait=letter == "X")
        if letter == "Y":
            return self._implemented(has_trait=True)
        if letter == "I":
            path = self._path(is_value=is_value)
            arguments = ", ".join(self._until_end(self._generic_argument))
            return f"{path}{'::' if is_value else ''}<{arguments}>"
        if letter == "B":
            return self._referred(lambda: self._path(is_value=is_value))
        raise _NoName

    def _inner_path(self, is_value: bool) -> str:
        namespace = self._next()
        path = self._path(is_value=is_value)
        name, number = self._identifier()
        if namespace.islower():
            return f"{path}::{name}" if name else path
        if not namespace.isupper():
            raise _NoName
        kind = {"C": "closure", "S": "shim"}.get(namespace, namespace)
        named = f":{name}" if name else ""
        return f"{path}::{{{kind}{named}#{number}}}"

    def _implemented(self, *, has_trait: bool) -> str:
        kind = self._type()
        return f"<{kind} as {self._path(is_value=False)}>" if has_trait else f"<{kind}>"

    def _identifier(self) -> tuple[str, int]:
        """A name and its disambiguator."""
        number = self._optional_number("s")
        return self._plain_identifier(), number

    def _plain_identifier(self) -> str:
        is_encoded = self._skips("u")
        found = re.compile(r"0|[1-9]\d*").match(self._text, self._at)
        if found is None:
            raise _NoName
        self._at = found.end()
        self._skips("_")
        n_bytes = int(found[0])
        name = self._text[self._at : self._at + n_bytes]
        if len(name) != n_bytes:
            raise _NoName
        self._at += n_bytes
        return _decoded(name) if is_encoded else name

    def _until_end(self, read: Callable[[], str]) -> list[str]:
        found = []
        while not self._skips("E"):
            found.append(read())
        return found

    def _referred(self, read: Callable[[], str]) -> str:
        """What stands at an earlier place, which the letter B was read for."""
        here = self._at - 1
        target = self._number()
        if target >= here:
            raise _NoName
        after, self._at = self._at, target
        found = self._nested(read)
        self._at = after
        return found

    def _generic_argument(self) -> str:
        if self._skips("L"):
            return self._lifetime(self._number())
        return self._constant() if self._skips("K") else self._type()

    def _lifetime(self, index: int) -> str:
        if index == 0:
            return "'_"
        depth = self._n_bound - index
        if depth < 0:
            raise _NoName
        return f"'{chr(ord('a') + depth)}" if depth < _LETTERS else f"'_{depth}"

    def _type(self) -> str:
        return self._nested(lambda: self._type_of(self._next()))

    def _type_of(self, letter: str) -> str:
        if letter in _BASIC_TYPES:
            return _BASIC_TYPES[letter]
        readers: dict[str, Callable[[], str]] = {
            "A": self._array, "S": lambda: f"[{self._type()}]", "T": self._tuple,
            "R": lambda: self._reference(""), "Q": lambda: self._reference("mut "),
            "P": lambda: f"*const {self._type()}", "O": lambda: f"*mut {self._type()}",
            "F": lambda: self._bound(self._function), "D": self._dyn,
            "B": lambda: self._referred(self._type),
        }  # fmt: skip
        if letter in readers:
            return readers[letter]()
        self._at -= 1
        return self._path(is_value=False)

    def _array(self) -> str:
        kind = self._type()
        return f"[{kind}; {self._constant()}]"

    def _tuple(self) -> str:
        kinds = self._until_end(self._type)
        return f"({kinds[0]},)" if len(kinds) == 1 else f"({', '.join(kinds)})"

    def _reference(self, mutable: str) -> str:
        index = self._number() if self._skips("L") else 0
        lifetime = f"{self._lifetime(index)} " if index else ""
        return f"&{lifetime}{mutable}{self._type()}"

    def _bound(self, read: Callable[[], str]) -> str:
        """What may stand behind `for<'a, ...>`."""
        n_new = self._optional_number("G")
        if n_new > len(self._text):
            raise _NoName
        names = []
        for _ in range(n_new):
            self._n_bound += 1
            names.append(self._lifetime(1))
        found = read()
        self._n_bound -= n_new
        return f"for<{', '.join(names)}> {found}" if names else found

    def _function(self) -> str:
        words = ["unsafe"] if self._skips("U") else []
        if self._skips("K"):
            abi = "C" if self._skips("C") else self._plain_identifier().replace("_", "-")
            words.append(f'extern "{abi}"')
        parameters = ", ".join(self._until_end(self._type))
        result = self._type()
        text = " ".join([*words, f"fn({parameters})"])
        return text if result == "()" else f"{text} -> {result}"

    def _dyn(self) -> str:
        traits = self._bound(lambda: " + ".join(self._until_end(self._dyn_trait)))
        if not self._skips("L"):
            raise _NoName
        index = self._number()
        return f"dyn {traits}" + (f" + {self._lifetime(index)}" if index else "")

    def _dyn_trait(self) -> str:
        path = self._path(is_value=False)
        bindings = []
        while self._skips("p"):
            name = self._plain_identifier()
            bindings.append(f"{name} = {self._type()}")
        if not bindings:
            return path
        more = ", ".join(bindings)
        return f"{path[:-1]}, {more}>" if path.endswith(">") else f"{path}<{more}>"

    def _constant(self) -> str:
        return self._nested(lambda: self._constant_of(self._next()))

    def _constant_of(self, letter: str) -> str:
        if letter == "p":
            return "_"
        if letter == "B":
            return self._referred(self._constant)
        if letter == "e":
            return f"*{self._string()}"
        if letter in "RQ":
            if letter == "R" and self._skips("e"):
                return self._string()
            return f"&{'mut ' if letter == 'Q' else ''}{self._constant()}"
        if letter == "A":
            return f"[{', '.join(self._until_end(self._constant))}]"
        if letter == "T":
            parts = self._until_end(self._constant)
            return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"
        return self._structure() if letter == "V" else self._scalar(letter)

    def _structure(self) -> str:
        """A value of a struct or enum: unit, tuple or with named fields."""
        path = self._path(is_value=True)
        form = self._next()
        if form == "U":
            return path
        if form == "T":
            return f"{path}({', '.join(self._until_end(self._constant))})"
        if form == "S":
            return f"{path} {{ {', '.join(self._until_end(self._field))} }}"
        raise _NoName

    def _field(self) -> str:
        name, _ = self._identifier()
        return f"{name}: {self._constant()}"

    def _scalar(self, letter: str) -> str:
        sign = "-" if self._skips("n") else ""
        digits = self._hex_digits()
        value = int(digits or "0", 16)
        if letter in _INTEGERS:
            return f"{sign}{value}"
        if letter == "b" and value in (0, 1):
            return "true" if value else "false"
        if letter == "c":
            return f"'{_character(value)}'"
        raise _NoName

    def _string(self) -> str:
        try:
            text = bytes.fromhex(self._hex_digits()).decode()
        except ValueError:
            raise _NoName from None
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

    def _hex_digits(self) -> str:
        found = re.compile(r"([0-9a-f]*)_").match(self._text, self._at)
        if found is None:
            raise _NoName
        self._at = found.end()
        return found[1]


def _digit(letter: str) -> int:
    value = _DIGITS.find(letter)
    if value < 0:
        raise _NoName
    return value


def _decoded(name: str) -> str:
    """An identifier in Punycode, whose last `_` stands for the `-` there."""
    plain, _, coded = name.rpartition("_")
    try:
        return f"{plain}{'-' * bool(plain)}{coded}".encode().decode("punycode")
    except (UnicodeError, ValueError):
        raise _NoName from None
