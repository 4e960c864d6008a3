"""Why a snapshot cannot be taken is said; nothing half done is left."""

from __future__ import annotations

from pathlib import Path

import pytest

from irsan.engine.snapshot import take
from irsan.engine.snapshot.take import NotTaken, take_snapshot


def test_a_process_that_ends_before_it_is_ready(tmp_path: Path) -> None:
    folder = tmp_path / "snapshot"
    folder.mkdir()
    with pytest.raises(NotTaken, match="has ended with status 1"):
        cache = str(tmp_path / "cache")
        take_snapshot(tmp_path / "restore", folder, str(tmp_path / "nowhere"), cache)
    assert list(folder.iterdir()) == []


def test_a_file_that_has_just_changed(tmp_path: Path) -> None:
    source = tmp_path / "source.py"
    source.write_text("a = 1\n")
    changed_ns = source.stat().st_mtime_ns
    take._require_older([str(source)], changed_ns + take._CLOCK_STEP_NS)
    with pytest.raises(NotTaken, match=r"source\.py has just changed"):
        take._require_older([str(source)], changed_ns)


def test_patches_go_where_their_address_is() -> None:
    patches = {0x1002: b"ab", 0x9000: b"elsewhere"}
    assert take._patched(b"0123456", 0x1000, patches) == b"01ab456"
