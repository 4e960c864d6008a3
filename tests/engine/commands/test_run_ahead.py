"""Which runs leave a process behind that the next ones go on from."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from irsan.engine.commands import run_ahead
from irsan.engine.snapshot import kept
from irsan.saved_start import RUN, restorer_of


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {"IRSAN_CACHE_DIR": str(tmp_path)}


def test_one_without_a_saved_process(environment: dict[str, str]) -> None:
    assert run_ahead.is_to_be_saved(environment)


@pytest.mark.parametrize("name", ["IRSAN_AHEAD", "IRSAN_SNAPSHOT", "IRSAN_HOST"])
def test_none_where_that_is_switched_off(environment: dict[str, str], name: str) -> None:
    assert not run_ahead.is_to_be_saved({**environment, name: "off"})


def test_none_without_a_cache() -> None:
    assert not run_ahead.is_to_be_saved({})


def test_none_where_there_is_one(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path] = []
    monkeypatch.setattr(kept, "is_current", lambda path: asked.append(path) or True)
    assert not run_ahead.is_to_be_saved(environment)
    assert asked == [Path(restorer_of(environment, RUN) or "")]


def test_none_where_it_has_just_failed(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "has_just_failed", lambda _folder: True)
    assert not run_ahead.is_to_be_saved(environment)


def test_it_is_no_child_and_says_nothing(
    environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    words = ["sh", "-c", f"echo said; echo $PPID > {tmp_path}/parent; mkfifo {tmp_path}/end"]
    monkeypatch.setattr(run_ahead, "module_command", lambda _module: words)
    run_ahead.leave_saved_run({**environment, "PATH": "/usr/bin:/bin"})
    subprocess.run(
        ["timeout", "20", "sh", "-c", f"until [ -p {tmp_path}/end ]; do sleep 0.01; done"],
        check=True,
    )
    assert capfd.readouterr() == ("", "")


def test_a_machine_without_a_shell_is_no_error(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_words: Any, **_more: Any) -> None:
        raise FileNotFoundError

    monkeypatch.setattr(subprocess, "run", refuse)
    run_ahead.leave_saved_run(environment)
