"""Parts of files are read late, and a file that became shorter is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from irsan.engine.inputs.file_part import FilePart
from irsan.errors import UnsupportedError


def test_a_part_is_read_when_it_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "a"
    part = FilePart(str(path), 2, 3)
    path.write_bytes(b"0123456")
    assert part.read() == b"234" and len(part) == 3


def test_what_is_gone_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with pytest.raises(UnsupportedError, match="a: No such file"):
        FilePart(str(path), 0, 1).read()
    path.write_bytes(b"0123")
    with pytest.raises(UnsupportedError, match="a: it became shorter"):
        FilePart(str(path), 2, 3).read()
