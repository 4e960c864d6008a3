"""What irsan-cc adds to native code is made by whoever comes first, also when many do at once."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from irsan.engine.builds.native_parts import native_parts
from irsan.engine.builds.toolchain import find_toolchain
from irsan.sealed import is_kept_whole


def test_builds_that_start_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toolchain = find_toolchain(os.environ)
    monkeypatch.setenv("IRSAN_CACHE_DIR", str(tmp_path))
    with ThreadPoolExecutor(4) as pool:
        found = set(pool.map(lambda _: native_parts(toolchain), range(4)))
    (parts,) = found
    assert is_kept_whole(parts.start)
    assert is_kept_whole(parts.stubs)
    made = {path.name for path in parts.start.parent.iterdir()}
    assert made == {"start.o", "start.o.seal", "stubs.bc", "stubs.bc.seal"}
