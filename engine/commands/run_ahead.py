"""A run that had to start Python anew leaves behind the process that the next ones go on from.

It is saved by a process of its own, which is no child of the program: the run waits for nothing,
and what goes wrong there only means that runs start as before.  `IRSAN_AHEAD=off` leaves it.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from irsan import saved_start
from irsan.own_process import module_command

_APART: Final = ("/bin/sh", "-c", '"$@" &', "sh")


def leave_saved_run(environment: Mapping[str, str]) -> None:
    """Start saving a run's process, unless there is a current one or it has just failed."""
    if not is_to_be_saved(environment):
        return
    words = module_command("irsan.engine.builds.saved_processes")
    try:
        subprocess.run(
            [*_APART, *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, cwd="/", env=dict(environment), start_new_session=True,
            check=False,
        )  # fmt: skip
    except OSError:  # no shell, no memory for a process: as above
        return


def is_to_be_saved(environment: Mapping[str, str]) -> bool:
    """Whether a run could go on from a saved process, and there is none."""
    from irsan.engine.snapshot.kept import has_just_failed, is_current

    place = saved_start.restorer_of(environment, saved_start.RUN)
    if place is None or saved_start.is_switched_off(environment):
        return False
    if saved_start.is_ahead_off(environment):
        return False
    return not has_just_failed(Path(place).parent) and not is_current(Path(place))
