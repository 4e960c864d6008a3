"""OMP_* variables of the program's environment, turned into the words that OpenMP's kernels read.

    OMP_NUM_THREADS          a number for each level: 4,2          4 by default, on every machine
    OMP_SCHEDULE             [monotonic:|nonmonotonic:]kind[,chunk], for schedule(runtime)
    OMP_MAX_ACTIVE_LEVELS    regions inside each other that have several threads; 1 by default
    OMP_NESTED               the same as all of them, or one
    OMP_DYNAMIC, OMP_CANCELLATION                                   true or false
    OMP_THREAD_LIMIT, OMP_NUM_TEAMS, OMP_TEAMS_THREAD_LIMIT         numbers
    OMP_STACKSIZE            of threads that a region makes: 4M, 512K; without a letter KiB
    OMP_DISPLAY_ENV          true or verbose: the settings are shown before the program begins
    OMP_DISPLAY_AFFINITY     true: each thread shows its own in regions, by OMP_AFFINITY_FORMAT

What cannot be read is said and left out, as LLVM's library does.

Source: OpenMP 5.2, section 21.
"""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from irsan.runtime import arena
from irsan.runtime.diagnosis.openmp_environment import SHOWN, VERBOSE, environment_text
from irsan.runtime.layout import memory_map
from irsan.runtime.records.threads import openmp_records as om

DEFAULT_THREADS: Final = 4
_MOST: Final = 1024
_ALL_LEVELS: Final = 255
_LEAST_STACK: Final = 64 * memory_map.KIB
_UNITS: Final = {"b": 1, "": 1 << 10, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
_KINDS: Final = {"static": om.STATIC, "dynamic": om.DYNAMIC, "guided": om.GUIDED, "auto": om.AUTO}
_SCHEDULE: Final = re.compile(r"(?:(?:non)?monotonic:)?([a-z]+)(?:,(\d{1,9}))?")
_STACK: Final = re.compile(r"(\d{1,12})\s*([bkmg]?)")
_TRUTH: Final = {"true": 1, "1": 1, "yes": 1, "on": 1, "false": 0, "0": 0, "no": 0, "off": 0}

AFFINITY_FORMAT: Final = "OMP: pid %P tid %i thread %n bound to OS proc set {%A}"
_FIELDS: Final = {
    "t": "team_num", "T": "num_teams", "L": "nesting_level", "n": "thread_num",
    "N": "num_threads", "a": "ancestor_tnum", "H": "host", "P": "process_id",
    "i": "native_thread_id", "A": "thread_affinity",
}  # fmt: skip

Words = dict[str, int | list[int]]


def uses_openmp(names: Iterable[str]) -> bool:
    """Whether a program with these undefined names calls OpenMP's runtime."""
    return any(name.startswith(("__kmpc_", "omp_", "ompc_", "GOMP_")) for name in names)


def start_openmp(
    environment: Mapping[str, str], worker_entry: int, write: Callable[[str], Any]
) -> None:
    """Fill the settings; `write` gets a line for each variable that cannot be read."""
    words, complaints = read_settings(environment)
    ctypes.memset(om.TABLE, 0, om.THREADS - om.TABLE)
    record = arena.view_record(om.TABLE, om.SETTINGS_DTYPE)
    for name, value in words.items():
        if isinstance(value, list):
            record[name][: len(value)] = value
        else:
            record[name] = value
    record["worker_entry"] = worker_entry
    _write_texts(environment.get("OMP_AFFINITY_FORMAT", "") or AFFINITY_FORMAT)
    for line in complaints:
        write(line)
    if words["shows_environment"]:
        write(environment_text(words["shows_environment"] == VERBOSE))


def _write_texts(affinity_format: str) -> None:
    """What the texts about affinities are made of: there is no binding to any processor."""
    _write_text(om.AFFINITY_FORMAT, affinity_format, om.FORMAT_BYTES)
    _write_text(om.HOST_NAME, os.uname().nodename, om.PROCESSORS - om.HOST_NAME)
    _write_text(om.PROCESSORS, f"0-{DEFAULT_THREADS - 1}", om.UNDEFINED - om.PROCESSORS)
    _write_text(om.UNDEFINED, "undefined", om.FIELD_NAMES - om.UNDEFINED)
    for i, (letter, name) in enumerate(_FIELDS.items()):
        row = om.FIELD_NAMES + i * om.FIELD_NAME_BYTES
        _write_text(row, name, om.FIELD_NAME_BYTES)
        ctypes.memset(row + om.FIELD_NAME_BYTES - 1, ord(letter), 1)


def _write_text(addr: int, text: str, room: int) -> None:
    raw = os.fsencode(text)[: room - 1] + b"\0"
    ctypes.memmove(addr, raw, len(raw))


def read_settings(environment: Mapping[str, str]) -> tuple[Words, list[str]]:
    """The words, and what to say about variables that were left out."""
    words: Words = {
        "n_threads": [DEFAULT_THREADS], "schedule": om.STATIC, "chunk": 0, "dynamic": 0,
        "max_levels": 1, "thread_limit": _MOST, "cancels": 0,
        "stack_bytes": memory_map.DEFAULT_STACK_BYTES, "n_procs": DEFAULT_THREADS, "n_teams": 1,
        "teams_limit": 0, "shows_affinity": 0, "shows_environment": 0,
    }  # fmt: skip
    complaints = []
    for name, reader in _READERS.items():
        text = environment.get(name, "").strip().lower()
        if not text:
            continue
        try:
            words.update(reader(text))
        except ValueError as error:
            complaints.append(f"irsan: {name}={environment[name]}: {error}; it is left out\n")
    return words, complaints


def _number(text: str, most: int = _MOST) -> int:
    if not re.fullmatch(r"\d{1,9}", text) or not 1 <= int(text) <= most:
        raise ValueError(f"expected a number from 1 to {most}")
    return int(text)


def _threads(text: str) -> Iterator[tuple[str, list[int]]]:
    yield "n_threads", [_number(word.strip()) for word in text.split(",")][: om.N_LEVELS]


def _schedule(text: str) -> Iterator[tuple[str, int]]:
    match = _SCHEDULE.fullmatch(text.replace(" ", ""))
    if not match or match[1] not in _KINDS:
        raise ValueError(f"expected one of {', '.join(_KINDS)}, and a chunk behind a comma")
    kind, chunk = _KINDS[match[1]], int(match[2] or 0)
    yield "schedule", om.STATIC_CHUNKED if kind == om.STATIC and chunk else kind
    yield "chunk", chunk


def _truth(text: str) -> int:
    if text not in _TRUTH:
        raise ValueError("expected true or false")
    return _TRUTH[text]


def _shown(text: str) -> int:
    return VERBOSE if text == "verbose" else SHOWN * _truth(text)


def _stack(text: str) -> Iterator[tuple[str, int]]:
    match = _STACK.fullmatch(text)
    n_bytes = int(match[1]) * _UNITS[match[2]] if match else 0
    if not _LEAST_STACK <= n_bytes <= memory_map.MAX_STACK_BYTES:
        most = memory_map.MAX_STACK_BYTES >> 30
        raise ValueError(f"expected a size from 64K to {most}G, such as 16M")
    yield "stack_bytes", n_bytes


_READERS: Final[dict[str, Callable[[str], Any]]] = {
    "OMP_NUM_THREADS": _threads,
    "OMP_SCHEDULE": _schedule,
    "OMP_NESTED": lambda text: {"max_levels": _ALL_LEVELS if _truth(text) else 1},
    "OMP_MAX_ACTIVE_LEVELS": lambda text: {
        "max_levels": 0 if text == "0" else _number(text, _ALL_LEVELS)
    },
    "OMP_DYNAMIC": lambda text: {"dynamic": _truth(text)},
    "OMP_CANCELLATION": lambda text: {"cancels": _truth(text)},
    "OMP_THREAD_LIMIT": lambda text: {"thread_limit": _number(text)},
    "OMP_NUM_TEAMS": lambda text: {"n_teams": _number(text)},
    "OMP_TEAMS_THREAD_LIMIT": lambda text: {"teams_limit": _number(text)},
    "OMP_STACKSIZE": _stack,
    "OMP_DISPLAY_AFFINITY": lambda text: {"shows_affinity": _truth(text)},
    "OMP_DISPLAY_ENV": lambda text: {"shows_environment": _shown(text)},
}
