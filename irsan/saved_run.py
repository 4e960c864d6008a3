"""The process that `irsan run` goes on from: it is saved, then each run (saved_start.py)."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final, NoReturn

from irsan import saved_start
from irsan.__main__ import main_started
from irsan.engine.commands.program_subject import SAMPLE, wait_to_be_restored
from irsan.errors import UsageError

if TYPE_CHECKING:
    from irsan.engine.run.prepared import ReadyRuntime

_NOWHERE: Final = "/dev/null/none.c"


def main() -> NoReturn:
    """Get ready and be saved; in a process that goes on from there, do what the command says."""
    _read_words_once()
    words, ready = wait_to_be_restored(saved_start.boot_text(saved_start.RUN), _run_sample)
    sys.exit(main_started(words, ready))


def _run_sample(ready: ReadyRuntime, libraries: tuple[str, ...]) -> None:
    linked = [f"-l{name}" for name in libraries]
    main_started(["", "", "irsan", "run", *linked, str(SAMPLE)], ready)


def _read_words_once() -> None:
    """The parser of command lines imports what it needs when it needs it."""
    from irsan.cli.app import whole_command

    try:
        whole_command().main(["run", _NOWHERE], prog_name="irsan", standalone_mode=False)
    except UsageError:  # there is no such program
        return
