"""What irsan must have at hand before a program leaves the files and rights it began with.

    modules of Python    that only a report imports
    source lines         of the program's files, for snippets
    the root             a descriptor, through which /proc is found (runtime/process_files.py)

The program's calls that leave something come here first (interceptors/surroundings.py).
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import Final

from irsan.engine.options import RunOptions
from irsan.reports.renderers import renderer
from irsan.reports.snippet import remember_source

_LATE_MODULES: Final = (
    "irsan.reports.renderers", "irsan.reports.text_leak", "irsan.engine.missing_symbols",
    "irsan.engine.jit.leak_searches", "irsan.runtime.leak_check", "irsan.runtime.lock_view",
    "irsan.runtime.guarded_view", "irsan.runtime.diagnose_leak", "irsan.engine.jit.run_stats",
    "encodings.ascii", "encodings.latin_1", "encodings.idna", "json", "tempfile", "traceback",
)  # fmt: skip


def keep_what_reports_need(options: RunOptions, files: Iterable[str]) -> None:
    """Import and read what a report may want; files: names of sources."""
    for name in _LATE_MODULES:
        importlib.import_module(name)
    for target in options.reports:
        renderer(target.format)
    for file in sorted(set(files)):
        remember_source(file)
