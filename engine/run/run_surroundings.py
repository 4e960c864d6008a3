"""What irsan must have at hand before a program leaves the files and rights it began with.

    modules of Python    that only a report imports, and the templates of its formats
    source lines         of the program's files, for snippets
    the root             a descriptor, through which /proc is found (runtime/process_files.py)

The program's calls that leave something come here first (interceptors/system/surroundings.py).
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from types import ModuleType
from typing import Final

import irsan.reports
import irsan.reports.derived
import irsan.reports.model
import irsan.reports.sets
import irsan.reports.text
import irsan.runtime
import irsan.runtime.diagnosis
import irsan.runtime.views
from irsan.engine.options import RunOptions
from irsan.engine.reporting.run_facts import llvm_of_run
from irsan.reports.model.report import Report
from irsan.reports.renderers import renderer
from irsan.reports.text.snippet import remember_source

#: rooms whose modules explain a finding: each is wanted by some kind of finding, so all are read
_LATE_ROOMS: Final = (
    irsan.reports, irsan.reports.derived, irsan.reports.model, irsan.reports.sets,
    irsan.reports.text, irsan.runtime, irsan.runtime.diagnosis, irsan.runtime.views,
)  # fmt: skip
_LATE_MODULES: Final = (
    "irsan.engine.front_end.missing_symbols", "irsan.engine.findings.leak_searches",
    "irsan.engine.reporting.run_stats", "encodings.ascii", "encodings.latin_1", "encodings.idna",
    "json", "tempfile", "traceback",
)  # fmt: skip


def keep_what_reports_need(options: RunOptions, files: Callable[[], Iterable[str]]) -> None:
    """Import and read what a report may want; files: asked for the names of sources."""
    for name in (*_LATE_MODULES, *_modules_of(*_LATE_ROOMS)):
        importlib.import_module(name)
    llvm_of_run()  # from the cache, which may be out of reach
    for target in options.reports:
        renderer(target.format)(Report(str(options.programs[0])))
    for file in sorted(set(files())):
        remember_source(file)


def _modules_of(*rooms: ModuleType) -> Iterator[str]:
    for room in rooms:
        yield from (each.name for each in pkgutil.iter_modules(room.__path__, f"{room.__name__}."))
