"""The sources of the bundled compiler's library: found, named as the members of its archives."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

from irsan.engine.cxx_library.members import _MOST_MEMBERS
from irsan.engine.cxx_library.sources import (
    NATIVE_MEMBERS,
    include_folders,
    library_folder,
    library_sources,
)

HAS_ZIG = importlib.util.find_spec("ziglang") is not None


@pytest.mark.skipif(not HAS_ZIG, reason="needs the extra irsan[cc]")
def test_the_bundled_compiler_has_sources() -> None:
    folder = library_folder((sys.executable, "-m", "ziglang", "c++"))
    assert folder is not None
    sources = library_sources(folder)
    assert {"string", "locale", "ios.instantiations", "private_typeinfo", "path"} <= set(sources)
    assert not NATIVE_MEMBERS & set(sources)
    assert len(sources) <= _MOST_MEMBERS
    assert all(Path(one).is_dir() for one in include_folders(folder))


def test_a_zig_without_sources_has_no_checked_library(tmp_path: Path) -> None:
    zig = tmp_path / "zig"
    zig.write_text("#!/bin/sh\n")
    zig.chmod(0o755)
    assert library_folder((str(zig), "c++")) is None
    assert library_folder((str(tmp_path / "none"), "c++")) is None
    source = tmp_path / "lib" / "libcxx" / "src" / "string.cpp"
    source.parent.mkdir(parents=True)
    source.write_text("")
    assert library_folder((str(zig), "c++")) == tmp_path / "lib"
    assert library_sources(tmp_path / "lib") == {"string": source}
