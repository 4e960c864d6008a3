"""What the system would grant: read from files as the kernel writes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from irsan.engine.machine_memory import largest_request

MEMINFO = "MemTotal: 1000 kB\nMemFree: 10 kB\nSwapTotal: 24 kB\nCommitLimit: 512 kB\n"


@pytest.mark.parametrize(("mode", "n_bytes"), [("0", 1024 << 10), ("1", 1 << 62), ("2", 512 << 10)])
def test_the_mode_decides(tmp_path: Path, mode: str, n_bytes: int) -> None:
    (tmp_path / "sys/vm").mkdir(parents=True)
    (tmp_path / "sys/vm/overcommit_memory").write_text(mode + "\n")
    (tmp_path / "meminfo").write_text(MEMINFO)
    assert largest_request(tmp_path) == n_bytes


def test_without_files_nothing_is_refused(tmp_path: Path) -> None:
    assert largest_request(tmp_path) == 1 << 62
