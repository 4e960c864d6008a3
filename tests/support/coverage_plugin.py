"""pytest's plugin for `./dev coverage`: notes the lines that a process of the suite runs.

`-p tests.support.coverage_plugin`, with IRSAN_COVERAGE the folder for what it notes.  It begins
when it is imported, before any module of irsan is.
"""

from __future__ import annotations

import os
from pathlib import Path

from tests.support.kernel_lines import Marks, mark_kernels
from tests.support.room_coverage import FOLDER_VARIABLE, new_coverage

_folder = Path(os.environ[FOLDER_VARIABLE])
_coverage = new_coverage(_folder, is_part=True)
_coverage.start()
mark_kernels(Marks(_folder / "marks"), _folder / "code")


def pytest_sessionfinish() -> None:
    """Write what this process has noted."""
    _coverage.stop()
    _coverage.save()
