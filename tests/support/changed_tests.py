"""What `./dev quick` gives to pytest, a path per line: the tests of rooms, or of what has changed.

    runtime/kernels/heap         ->  tests/runtime/kernels/heap: a room that is named
    engine/cache.py              ->  tests/engine/test_cache.py, its mirror; without one, the tests
                                     that import it
    tests/engine/test_cache.py   ->  itself
    tests/programs/race/x.c      ->  the programs' tests, of `race/x` only

What has changed is what differs from where this branch left main, committed or not.  The house's
own rules, which are cheap, always come along.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from tests.support.annotations import PARTS, parse_program

ALWAYS = "tests/meta"
ROOT = Path(__file__).resolve().parents[2]


def changed_files(root: Path) -> list[str]:
    """Paths, relative to the root, of files that are not as they are on main."""
    base = _lines(root, "merge-base", "HEAD", "main") or ["HEAD"]
    changed = _lines(root, "diff", "--name-only", base[0])
    return changed + _lines(root, "ls-files", "--others", "--exclude-standard")


def _lines(root: Path, *words: str) -> list[str]:
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    return done.stdout.splitlines() if done.returncode == 0 else []


def mirrors_of(changed: Iterable[str], root: Path) -> list[str]:
    """What to give to pytest, without repetitions; tests that are not there are left out."""
    importers = _Importers(root)
    found: dict[str, None] = {}
    for name in changed:
        for test in _mirrors_of(PurePosixPath(name), importers):
            if (root / test.partition("::")[0]).exists():
                found[test] = None
    return [ALWAYS, *found]


def _mirrors_of(path: PurePosixPath, importers: _Importers) -> Iterator[str]:
    if path.parts[:2] == ("tests", "programs") and path.suffix in (".c", ".cpp"):
        yield from _program_test(importers.root / path)
    elif path.suffix != ".py":
        return
    elif path.name.startswith("test_"):
        yield str(path)
    elif path.parts[0] == "tests":
        yield from importers.of(".".join(path.with_suffix("").parts))
    else:
        room = "cli" if path.parts[0] == "irsan" else path.parent
        mirror = f"tests/{room}/test_{path.stem.strip('_')}.py"
        if (importers.root / mirror).exists():
            yield mirror
        else:
            parts = path.with_suffix("").parts
            yield from importers.of(".".join(parts if parts[0] == "irsan" else ("irsan", *parts)))


def _program_test(path: Path) -> Iterator[str]:
    """The test of a program, at -O1 where it is run there; parts of programs have none."""
    if not path.exists() or path.parent.name == PARTS:
        return
    case = parse_program(path)
    level = "-O1" if "-O1" in case.only_levels else case.only_levels[0]
    yield f"tests/test_programs.py::test_program[{case.name}{level}]"


class _Importers:
    """Test files by the modules that they import; read when it is first asked for."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._texts: dict[str, str] = {}

    def of(self, module: str) -> Iterator[str]:
        """Tests that import a module, in path order."""
        package, _, name = module.rpartition(".")
        words = re.compile(
            rf"^\s*(?:from {re.escape(module)} import|import {re.escape(module)}\b"
            rf"|from {re.escape(package)} import [^\n]*\b{name}\b)",
            re.MULTILINE,
        )
        for path, text in self._read().items():
            if words.search(text):
                yield path

    def _read(self) -> dict[str, str]:
        if not self._texts:
            for path in sorted((self.root / "tests").rglob("test_*.py")):
                self._texts[str(path.relative_to(self.root))] = path.read_text(encoding="utf-8")
        return self._texts


def mirrors_of_rooms(rooms: Iterable[str], root: Path) -> list[str]:
    """The folders or files of tests that mirror rooms. ValueError for a room without tests."""
    found = []
    for room in rooms:
        path = f"tests/{room.strip('/')}"
        if not (root / path).exists():
            known = sorted(one.name for one in (root / "tests").iterdir() if _has_tests(one))
            raise ValueError(f"{room}: no tests in {path}; rooms are {' '.join(known)}")
        found.append(path)
    return found


def _has_tests(folder: Path) -> bool:
    return folder.is_dir() and next(folder.rglob("test_*.py"), None) is not None


def main(rooms: list[str]) -> int:
    """Print what to run; exit status 2 for a room that is not there."""
    try:
        found = mirrors_of_rooms(rooms, ROOT) if rooms else mirrors_of(changed_files(ROOT), ROOT)
    except ValueError as error:
        print(f"dev: {error}", file=sys.stderr)
        return 2
    print("\n".join(found))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
