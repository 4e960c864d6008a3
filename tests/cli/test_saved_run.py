"""A process that goes on from a snapshot does the command that it was started with."""

from __future__ import annotations

from typing import Any

import pytest

import irsan.engine.commands
from irsan import saved_run, saved_start


def test_it_runs_with_the_runtime_that_it_has_and_ends_with_the_status(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[Any] = []
    restored = (["cache", "run", "/bin/irsan", "run", "a.c", "x"], "ready")
    monkeypatch.setattr(saved_run, "wait_to_be_restored", lambda *_: restored)

    class Session:
        @staticmethod
        def run(options: Any, ready: Any, *, leaves_process: bool) -> int:
            given.append((options.programs[0].name, options.arguments, ready, leaves_process))
            return 7

    monkeypatch.setattr(saved_run.sys, "argv", ["-c"])
    monkeypatch.setattr(saved_run, "_read_words_once", lambda: None)
    monkeypatch.setattr(irsan.engine.commands, "session", Session, raising=False)
    with pytest.raises(SystemExit) as end:
        saved_run.main()
    assert end.value.code == 7
    assert given == [("a.c", ("x",), "ready", False)]
    assert saved_run.sys.argv == ["/bin/irsan", "run", "a.c", "x"]


def test_what_python_is_given_where_it_does_not_fit() -> None:
    assert "irsan.__main__" in saved_start.boot_text(saved_start.RUN)
    assert "irsan.compiler_wrapper" in saved_start.boot_text()
