"""Which tests a change asks for."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.support.changed_tests import ALWAYS, ROOT, changed_files, mirrors_of, mirrors_of_rooms


def test_a_file_has_its_mirror_and_a_program_its_test() -> None:
    changed = [
        "engine/cache.py", "tests/engine/test_cache.py", "tests/programs/race/same_byte.c",
        "engine/gone.py", "README.md", "irsan/cachedir.py",
    ]  # fmt: skip
    assert mirrors_of(changed, ROOT) == [
        ALWAYS,
        "tests/engine/test_cache.py",
        "tests/test_programs.py::test_program[race/same_byte-O1]",
        "tests/cli/test_cachedir.py",
    ]


def test_what_has_no_mirror_is_tested_by_what_imports_it(tmp_path: Path) -> None:
    texts = {
        "engine/new.py": "", "engine/other.py": "",
        "tests/test_a.py": "from irsan.engine.new import thing\n",
        "tests/test_b.py": "def test():\n    from irsan.engine import newer, new\n",
        "tests/test_c.py": "from irsan.engine import newer\nfrom tests.support.more import x\n",
        "tests/support/more.py": "",
    }  # fmt: skip
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert mirrors_of(["engine/new.py"], tmp_path) == [ALWAYS, "tests/test_a.py", "tests/test_b.py"]
    assert mirrors_of(["tests/support/more.py"], tmp_path) == [ALWAYS, "tests/test_c.py"]
    assert mirrors_of(["engine/other.py"], tmp_path) == [ALWAYS]


def test_a_program_is_run_at_a_level_that_it_has(tmp_path: Path) -> None:
    folder = tmp_path / "tests" / "programs" / "race"
    folder.mkdir(parents=True)
    (tmp_path / "tests" / "test_programs.py").touch()
    (folder / "fast.c").write_text("// ONLY: -O2 it is about inlining\nint main(void) {}\n")
    changed = ["tests/programs/race/fast.c", "tests/programs/race/parts/half.c"]
    assert mirrors_of(changed, tmp_path)[1:] == [
        "tests/test_programs.py::test_program[race/fast-O2]"
    ]


def test_rooms_are_folders_of_tests() -> None:
    assert mirrors_of_rooms(["runtime/kernels/heap/", "ir"], ROOT) == [
        "tests/runtime/kernels/heap", "tests/ir",
    ]  # fmt: skip
    with pytest.raises(ValueError, match=r"^cellar: no tests in tests/cellar; rooms are bench "):
        mirrors_of_rooms(["cellar"], ROOT)


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
