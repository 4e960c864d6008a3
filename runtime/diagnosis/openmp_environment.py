"""OpenMP's settings as OMP_DISPLAY_ENV and omp_display_env show them.

Source: OpenMP 5.2, section 21.7 (OMP_DISPLAY_ENV).
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Final

from irsan.runtime import arena
from irsan.runtime.layout import memory_map
from irsan.runtime.records.threads import openmp_records as om

VERSION: Final = 201611
SHOWN: Final = 1
VERBOSE: Final = 2
_TRUTH: Final = ("FALSE", "TRUE")
_SHOWS: Final = (*_TRUTH, "VERBOSE")
_SCHEDULES: Final = {
    om.STATIC: "static", om.STATIC_CHUNKED: "static", om.DYNAMIC: "dynamic",
    om.GUIDED: "guided", om.AUTO: "auto",
}  # fmt: skip


def environment_text(is_verbose: bool = False) -> str:
    """The lines, from the settings as they are now; `is_verbose` adds what irsan alone has."""
    lines = [f"  [host] {name}='{value}'" for name, value in _values()]
    if is_verbose:
        lines += [f"  [host] irsan processors='{_record()['n_procs']}'"]
    head, end = "OPENMP DISPLAY ENVIRONMENT BEGIN", "OPENMP DISPLAY ENVIRONMENT END"
    return "\n".join(["", head, f"   _OPENMP='{VERSION}'", *lines, end, "", ""])


def affinity_format() -> str:
    """The format that is set."""
    return ctypes.string_at(om.AFFINITY_FORMAT).decode(errors="replace")


def _record() -> dict[str, int]:
    record = arena.view_record(om.TABLE, om.SETTINGS_DTYPE)
    names = set(om.SETTINGS_DTYPE.names or ()) - {"n_threads"}
    return {name: int(record[name]) for name in names}


def _values() -> Iterator[tuple[str, str]]:
    """Names and values, by name."""
    words = _record()
    levels = arena.view_record(om.TABLE, om.SETTINGS_DTYPE)["n_threads"]
    chunk = f",{words['chunk']}" if words["chunk"] else ""
    yield "OMP_AFFINITY_FORMAT", affinity_format()
    yield "OMP_ALLOCATOR", "omp_default_mem_alloc"
    yield "OMP_CANCELLATION", _TRUTH[words["cancels"]]
    yield "OMP_DEFAULT_DEVICE", "0"
    yield "OMP_DISPLAY_AFFINITY", _TRUTH[words["shows_affinity"]]
    yield "OMP_DISPLAY_ENV", _SHOWS[words["shows_environment"]]
    yield "OMP_DYNAMIC", _TRUTH[words["dynamic"]]
    yield "OMP_MAX_ACTIVE_LEVELS", str(words["max_levels"])
    yield "OMP_MAX_TASK_PRIORITY", "0"
    yield "OMP_NESTED", _TRUTH[words["max_levels"] > 1]
    yield "OMP_NUM_TEAMS", str(words["n_teams"])
    yield "OMP_NUM_THREADS", ",".join(str(n) for n in levels if n)
    yield "OMP_PLACES", ""
    yield "OMP_PROC_BIND", "false"
    yield "OMP_SCHEDULE", _SCHEDULES[words["schedule"]] + chunk
    yield "OMP_STACKSIZE", f"{words['stack_bytes'] // memory_map.KIB}K"
    yield "OMP_TARGET_OFFLOAD", "DEFAULT"
    yield "OMP_TEAMS_THREAD_LIMIT", str(words["teams_limit"])
    yield "OMP_THREAD_LIMIT", str(words["thread_limit"])
    yield "OMP_TOOL", "disabled"
    yield "OMP_TOOL_LIBRARIES", ""
    yield "OMP_TOOL_VERBOSE_INIT", "disabled"
    yield "OMP_WAIT_POLICY", "PASSIVE"
