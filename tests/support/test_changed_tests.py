"""Which tests a change asks for."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.support.changed_tests import ALWAYS, ROOT, changed_files, mirrors_of


def test_a_file_has_its_mirror_and_a_program_its_test() -> None:
    changed = [
        "engine/cache.py", "tests/engine/test_cache.py", "tests/programs/race/same_byte.c",
        "tests/support/annotations.py", "engine/gone.py", "README.md",
    ]  # fmt: skip
    assert mirrors_of(changed, ROOT) == [
        ALWAYS,
        "tests/engine/test_cache.py",
        "tests/test_programs.py::test_program[race/same_byte-O1]",
    ]


def test_what_differs_from_main(tmp_path: Path) -> None:
    def git(*words: str) -> None:
        who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        subprocess.run(["git", *who, *words], cwd=tmp_path, check=True, capture_output=True)

    git("init", "-b", "main")
    for name in ("same", "edited", "committed"):
        (tmp_path / name).write_text("1")
    git("add", ".")
    git("commit", "-m", "first")
    git("checkout", "-b", "work")
    (tmp_path / "committed").write_text("2")
    git("commit", "-am", "second")
    (tmp_path / "edited").write_text("2")
    (tmp_path / "new").write_text("2")
    assert sorted(changed_files(tmp_path)) == ["committed", "edited", "new"]


def test_without_git_nothing_has_changed(tmp_path: Path) -> None:
    assert changed_files(tmp_path) == []
