"""The process from which executables start (engine/snapshot): it is saved, then each of them."""

from __future__ import annotations

import sys
from typing import NoReturn

from irsan.built_program import main as run_built_program
from irsan.engine.commands.program_subject import wait_to_be_restored
from irsan.engine.snapshot.boot import boot_text


def main() -> NoReturn:
    """Get ready and be saved; in a process that goes on from there, run what it was started for."""
    words, ready = wait_to_be_restored(boot_text())
    sys.exit(run_built_program(words, ready))
