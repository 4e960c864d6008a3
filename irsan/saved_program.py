"""The process from which executables start (engine/snapshot): it is saved, then each of them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NoReturn

from irsan.built_program import main as run_built_program
from irsan.engine.commands.program_subject import SAMPLE, wait_to_be_restored
from irsan.engine.snapshot.boot import boot_text

if TYPE_CHECKING:
    from irsan.engine.run.prepared import ReadyRuntime


def main() -> NoReturn:
    """Get ready and be saved; in a process that goes on from there, run what it was started for."""
    words, ready = wait_to_be_restored(boot_text(), _run_sample)
    sys.exit(run_built_program(words, ready))


def _run_sample(ready: ReadyRuntime, libraries: tuple[str, ...]) -> None:
    from irsan.engine.commands import session
    from irsan.engine.options import RunOptions
    from irsan.given_environment import given_environment

    environment = given_environment()
    session.run(RunOptions((SAMPLE,), libraries=libraries, environment=environment), ready)
