"""A process that goes on from a snapshot runs what it was started for."""

from __future__ import annotations

import subprocess
import sys

import pytest

from irsan import saved_program

# Twice, as the first of all builds the sample.
RUN_IN_FORKS = """
import os, sys
from irsan import built_program, saved_program
from irsan.engine.commands.program_subject import _ready_runtime
from irsan.engine.snapshot.restored import Mailbox

ready = _ready_runtime(Mailbox(), "")
had, leave = set(sys.modules), os._exit

def tell(status):
    os.write(1, f"{status} {sorted(set(sys.modules) - had)}\\n".encode())
    leave(status)

os._exit = tell
for _ in range(2):
    child = os.fork()
    if child == 0:
        saved_program._run_sample(ready, ())
    os.waitpid(child, 0)
"""


def test_it_ends_with_the_status_of_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    given = []
    restored = (["cache", "prog"], "ready")
    monkeypatch.setattr(saved_program, "wait_to_be_restored", lambda *_: restored)
    monkeypatch.setattr(saved_program, "run_built_program", lambda *all_: given.append(all_) or 7)
    with pytest.raises(SystemExit) as end:
        saved_program.main()
    assert end.value.code == 7
    assert given == [(["cache", "prog"], "ready")]


def test_a_run_finds_all_that_it_imports() -> None:
    """What is missing would be imported by each process."""
    done = subprocess.run([sys.executable, "-c", RUN_IN_FORKS], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1:] == ["0 []"], done.stderr
