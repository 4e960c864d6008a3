"""Which language a file is of: by its name, unless it is an executable."""

from __future__ import annotations

from pathlib import Path

import pytest

from irsan.engine.front_end.languages import produced_language


@pytest.mark.parametrize(("name", "language"), [("a.rs", "Rust"), ("a.d", "D"), ("a.c", "")])
def test_the_name_says_the_language(tmp_path: Path, name: str, language: str) -> None:
    path = tmp_path / name
    assert produced_language(path) == language  # also of a file that is not there
    path.write_text("a source")
    assert produced_language(path) == language


@pytest.mark.parametrize("name", ["prog.f", "prog.d", "prog.m"])
def test_an_executable_may_have_any_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"\x7fELF rest")
    assert produced_language(path) == ""
