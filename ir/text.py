"""How LLVM writes names and strings: quoting and hex escapes.

A name is kept as `str`: UTF-8 decoded with `surrogateescape`, so every byte string of a bitcode
file survives the way to Python and back.

Source: the LLVM Language Reference, "Identifiers" and "String constants".
"""

from __future__ import annotations

import re

_PLAIN_NAME = re.compile(r"[-a-zA-Z$._][-a-zA-Z$._0-9]*\Z")
_PLAIN_BYTES = re.compile(rb"[ !#-\[\]-~]*\Z")
_ESCAPED = [
    chr(byte) if 32 <= byte < 127 and byte not in (34, 92) else f"\\{byte:02X}"
    for byte in range(256)
]


def decode_name(raw: bytes) -> str:
    """The `str` form of a name; `encode_name` is its exact inverse."""
    return raw.decode("utf-8", "surrogateescape")


def encode_name(name: str) -> bytes:
    """The bytes of a name as LLVM stores them."""
    return name.encode("utf-8", "surrogateescape")


def escape_bytes(raw: bytes) -> str:
    """`raw` as the inside of an LLVM string literal: printable ASCII stays, the rest is `\\XX`."""
    if _PLAIN_BYTES.match(raw):
        return raw.decode("ascii")
    table = _ESCAPED
    return "".join([table[byte] for byte in raw])


def escape_name(name: str) -> str:
    """`name` as the inside of an LLVM string literal."""
    return escape_bytes(encode_name(name))


def quote_name(name: str) -> str:
    """`name` as it follows `%`, `@` or `$`: bare when it may be, else in double quotes."""
    if _PLAIN_NAME.match(name):
        return name
    return f'"{escape_name(name)}"'
