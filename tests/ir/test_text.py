"""Names and strings: quoting, escapes, bytes that are no UTF-8."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan.ir.text import decode_name, encode_name, escape_bytes, quote_name


@given(st.binary())
def test_names_keep_every_byte(raw: bytes) -> None:
    assert encode_name(decode_name(raw)) == raw


def unescape(text: str) -> bytes:
    """What LLVM's lexer makes of an escaped string."""
    raw, index = bytearray(), 0
    while index < len(text):
        if text[index] == "\\":
            raw.append(int(text[index + 1 : index + 3], 16))
            index += 3
            continue
        raw.append(ord(text[index]))
        index += 1
    return bytes(raw)


@given(st.binary())
def test_escapes_are_undone_by_the_lexer(raw: bytes) -> None:
    escaped = escape_bytes(raw)
    assert unescape(escaped) == raw
    assert '"' not in escaped
    assert escaped.isascii()


@pytest.mark.parametrize(
    ("name", "spelt"),
    [
        ("x", "x"),
        ("-a$.b_9", "-a$.b_9"),
        ("1x", '"1x"'),
        ("a b", '"a b"'),
        ('"', '"\\22"'),
        ("", '""'),
    ],
)
def test_only_odd_names_are_quoted(name: str, spelt: str) -> None:
    assert quote_name(name) == spelt
