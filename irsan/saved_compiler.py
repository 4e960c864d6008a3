"""The process that irsan-cc goes on from: it is saved, then each compilation (saved_start.py)."""

from __future__ import annotations

import os
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Get ready and be saved; in a process that goes on from there, be the compiler."""
    import atexit

    from irsan.compiler_wrapper import compile_as
    from irsan.engine.commands.compiler_subject import wait_for_command

    status = compile_as(wait_for_command())
    atexit._run_exitfuncs()
    for stream in filter(None, (sys.stdout, sys.stderr)):
        stream.flush()
    os._exit(status)  # tidying up memory that is not shared any more would take a fifth of the time
