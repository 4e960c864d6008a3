"""Bytes that lie in a file and are read when they are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from irsan.errors import UnsupportedError


@dataclass(frozen=True, slots=True)
class FilePart:
    """`size` bytes of a file, from byte `offset` on."""

    path: str
    offset: int
    size: int

    def __len__(self) -> int:
        return self.size

    def read(self) -> bytes:
        """The bytes. UnsupportedError when the file no longer has them."""
        try:
            with Path(self.path).open("rb") as file:
                file.seek(self.offset)
                raw = file.read(self.size)
        except OSError as error:
            raise UnsupportedError(f"{self.path}: {error.strerror}") from None
        if len(raw) < self.size:
            raise UnsupportedError(f"{self.path}: it became shorter while irsan read it")
        return raw
