"""When irsan-cc goes on from a saved process, and from which."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import irsan
from irsan import saved_start
from irsan.cachedir import cache_base
from irsan.saved_start import go_on, restorer_of


class Become(Exception):
    """Stands for this process becoming another."""


@pytest.fixture
def restorer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    def execv(path: str, words: Sequence[str]) -> None:
        raise Become(path, *words)

    for name in ("IRSAN_SNAPSHOT", "IRSAN_HOST"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("IRSAN_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(os, "execv", execv)
    found = Path(restorer_of(os.environ) or "")
    found.parent.mkdir(parents=True)
    for folder in (tmp_path, tmp_path / irsan.__version__):
        folder.chmod(0o700)
    found.touch(mode=0o700)
    return found


def test_the_words_are_those_that_a_saved_process_takes(restorer: Path, tmp_path: Path) -> None:
    with pytest.raises(Become) as became:
        go_on("c++", ["/bin/irsan-c++", "-c", "a.cc"])
    own = (str(restorer), str(restorer), str(tmp_path), "c++")
    assert became.value.args == (*own, "/bin/irsan-c++", "-c", "a.cc")


def test_nothing_happens_without_one(restorer: Path) -> None:
    restorer.unlink()
    go_on("c", ["irsan-cc"])


@pytest.mark.parametrize("name", ["IRSAN_SNAPSHOT", "IRSAN_HOST"])
def test_it_is_switched_off(restorer: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert restorer.exists()
    monkeypatch.setenv(name, "off")
    go_on("c", ["irsan-cc"])


@pytest.mark.parametrize("level", range(3))
def test_what_others_may_write_is_not_executed(
    restorer: Path, tmp_path: Path, level: int
) -> None:
    (tmp_path, tmp_path / irsan.__version__, restorer)[level].chmod(0o770)
    go_on("c", ["irsan-cc"])


def test_one_that_cannot_be_executed_is_passed_over(
    restorer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.setenv("IRSAN_CACHE_DIR", str(restorer.parents[3]))
    go_on("c", ["irsan-cc"])  # an empty file


@pytest.mark.parametrize(
    "environment",
    [
        {"IRSAN_CACHE_DIR": "/own", "HOME": "/home/a"},
        {"IRSAN_CACHE_DIR": "own"},
        {"XDG_CACHE_HOME": "/xdg", "HOME": "/home/a"},
        {"XDG_CACHE_HOME": "relative", "HOME": "/home/a"},
    ],
)
def test_it_lies_in_the_cache(environment: dict[str, str]) -> None:
    found = restorer_of(environment)
    assert found is not None
    assert Path(found).is_relative_to(cache_base(environment) or "")


def test_where_the_cache_is_to_be_found_out_there_is_none() -> None:
    assert restorer_of({}) is None
    assert restorer_of({"IRSAN_CACHE_DIR": "~/cache"}) is None


def test_each_python_and_each_irsan_has_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    environment = {"IRSAN_CACHE_DIR": "/own"}
    found = [restorer_of(environment)]
    for python in ("/a/%2Fb", "/a/%/b", "/" + 300 * "a"):
        monkeypatch.setattr(saved_start.sys, "executable", python)
        found.append(restorer_of(environment))
    assert len(set(found)) == len(found)
    assert found[-1] is None  # no name for a folder


def test_a_start_imports_nothing_for_it() -> None:
    """Python itself takes twenty milliseconds; each module would add some."""
    code = "import sys; old = set(sys.modules); import irsan.compiler_wrapper; " \
        "print(*sorted(set(sys.modules) - old))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [
        "__future__", "irsan", "irsan.compiler_wrapper", "irsan.saved_start",
    ]  # fmt: skip
