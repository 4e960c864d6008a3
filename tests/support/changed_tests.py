"""The tests of what has changed, for `./dev quick`: one path per line.

    engine/cache.py              ->  tests/engine/test_cache.py, its mirror
    tests/engine/test_cache.py   ->  itself
    tests/programs/race/x.c      ->  the programs' tests, of `race/x` only

What has changed is what differs from where this branch left main, committed or not.  The house's
own rules, which are cheap, always come along.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

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
    found = dict.fromkeys(test for name in changed for test in _mirrors_of(PurePosixPath(name)))
    return [ALWAYS, *(test for test in found if (root / test.partition("::")[0]).exists())]


def _mirrors_of(path: PurePosixPath) -> Iterator[str]:
    if path.parts[:2] == ("tests", "programs") and path.suffix in (".c", ".cpp"):
        name = f"{path.parent.name}/{path.stem}"
        yield f"tests/test_programs.py::test_program[{name}-O1]"
    elif path.suffix == ".py" and path.parts[0] == "tests":
        if path.name.startswith("test_"):
            yield str(path)
    elif path.suffix == ".py":
        yield str("tests" / path.parent / f"test_{path.name}")


if __name__ == "__main__":
    print("\n".join(mirrors_of(changed_files(ROOT), ROOT)))
