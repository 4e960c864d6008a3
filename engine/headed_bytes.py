"""Bytes of two parts: a head of any length, mostly JSON, and what it is about.

    8 bytes   the length of the head, little-endian
    ...       the head
    ...       the body, to the end
"""

from __future__ import annotations

from typing import Final

Buffer = bytes | memoryview

_LENGTH_BYTES: Final = 8


def join_head(head: bytes, *body: Buffer) -> bytes:
    """Both parts as one; the body may come in pieces."""
    return b"".join((len(head).to_bytes(_LENGTH_BYTES, "little"), head, *body))


def read_head(raw: Buffer) -> tuple[bytes, int]:
    """The head of what `join_head` made, and where the body begins."""
    end = _LENGTH_BYTES + int.from_bytes(raw[:_LENGTH_BYTES], "little")
    return bytes(raw[_LENGTH_BYTES:end]), end
