"""What one run was asked to do: plain frozen records between the command line and the engine.

    RunOptions
      programs, arguments        what runs
      opt_level .. defines       how sources become IR  -> frontend() : FrontendOptions
      engine, sanitize, seed ..  how the run behaves
      reports                    where findings go: (ReportTarget(format, path), ...)

Nothing here imports anything heavy: the command line builds it for `irsan --help` too.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

ENGINES = ("jit", "interp")
SANITIZERS = (
    "address", "thread", "leak", "undefined", "memory", "provenance", "gwp-asan", "dumb",
)  # fmt: skip
AVAILABLE_SANITIZERS = frozenset(SANITIZERS)
DEFAULT_SANITIZERS = frozenset({"address", "thread", "leak"})
TOGETHER = AVAILABLE_SANITIZERS - {"dumb"}  # `all`: every one that looks for errors
SAMPLING_SANITIZERS = frozenset({"gwp-asan", "undefined"})  # need nothing of ordinary heap blocks
_POOL_VARIABLES = ("GWP_ASAN_OPTIONS", "SCUDO_OPTIONS")
_DETECTOR_VARIABLES = ("TSAN_OPTIONS", "IRSAN_OPTIONS")
_DETECTOR_FLAG = "race_detector="
OPT_LEVELS = (0, 1, 2, 3)
#: the bundled compiler's C++ library: its own objects, or compiled from source with checks
NATIVE, CHECKED = STDLIBS = ("native", "checked")
WHERE_POSSIBLE = "where possible"  # checked, where the compiler has the sources
DEFAULT_SCHEDULER = "random"
PROCESS_MARK = "%p"  # of a report's file name
DEFAULT_START_S = 946_684_800  # of the calendar: 2000-01-01T00:00:00Z


@dataclass(frozen=True, slots=True)
class FrontendOptions:
    """How sources become IR.

    opt_level: the compiler's -O level (0..3). -O1 by default; optimisation deletes some errors.
    cc: compiler command given by `--cc`, None to choose one (see engine.compilers).
    cflags: extra words for the compiler, last on its command line.
    std, includes, defines: -std=, -I and -D, in the order given.
    marks_races: mark functions to be checked for data races, and be ThreadSanitizer to the program.
    checks_undefined: put in the compiler's own checks of undefined behaviour.
    libraries, library_folders: -l and -L, in the order given.
    stdlib: for which C++ library sources are compiled: NATIVE, CHECKED or WHERE_POSSIBLE.
    marks_uninitialised: mark functions to be checked for uninitialised values, report destroyed
    objects, and be MemorySanitizer to the program.
    """

    opt_level: int = 1
    cc: str | None = None
    cflags: tuple[str, ...] = ()
    std: str | None = None
    includes: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    marks_races: bool = False
    checks_undefined: bool = False
    marks_uninitialised: bool = False
    libraries: tuple[str, ...] = ()
    library_folders: tuple[str, ...] = ()
    stdlib: str = NATIVE


@dataclass(frozen=True, slots=True)
class ReportTarget:
    """One rendering of the report. path None means standard error.

    A path with %p is one file per process that has found something: %p is its number.
    """

    format: str
    path: Path | None = None

    @property
    def is_per_process(self) -> bool:
        """Whether each process writes a file of its own, and only when it has findings."""
        return self.path is not None and PROCESS_MARK in str(self.path)

    def path_in(self, pid: int) -> Path | None:
        """The file of a process."""
        if self.path is None:
            return None
        return Path(str(self.path).replace(PROCESS_MARK, str(pid)))


@dataclass(frozen=True, slots=True)
class TraceRequest:
    """A trace of the run, wanted in a file; form `std`, `binary` or None: as the name says."""

    path: Path
    form: str | None = None
    every_access: bool = False


@dataclass(frozen=True, slots=True)
class GateOptions:
    """Which findings fail a run, given those of earlier runs.

    root: the folder that paths in reports are relative to; "" for the repository's.
    baseline: an earlier report, whose findings do not fail the run.
    fail_on: rules and levels that do, a list with commas; "" for all faults of the program.
    triage: verdicts; None for the repository's own, if there are some.
    """

    root: str = ""
    baseline: Path | None = None
    fail_on: str = ""
    triage: Path | None = None


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Everything that `irsan run` was asked for.

    programs: source or IR files, linked together in this order.
    cache_folder: the cache's, where the environment names none; "" for the user's.
    argv0: how an executable was called; "" to show it the first program's path.
    arguments: the guest's argv[1:].
    seed: every random choice comes from it; same options and seed, same report.
    scheduler: a name of runtime/layout/options.py's SCHEDULERS: who runs next.
    scheduler_words: what the scheduler was given beside the seed.
    schedule: a replay token; None for a fresh run.
    inject: failures that are injected, as engine/injected_words.py reads them.
    clock_s: what the calendar says when the program starts, in seconds since 1970.
    stdlib: the C++ library of the bundled compiler, native or checked; "" for the default.
    environment: the guest's environment and irsan's own *_OPTIONS.
    """

    programs: tuple[Path, ...]
    arguments: tuple[str, ...] = ()
    argv0: str = ""
    cache_folder: str = ""
    engine: str = "jit"
    sanitize: frozenset[str] = DEFAULT_SANITIZERS
    seed: int = 0
    scheduler: str = DEFAULT_SCHEDULER
    scheduler_words: tuple[int, ...] = ()
    schedule: str | None = None
    inject: tuple[str, ...] = ()
    clock_s: int = DEFAULT_START_S
    opt_level: int = 1
    cc: str | None = None
    cflags: tuple[str, ...] = ()
    std: str | None = None
    includes: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    library_folders: tuple[str, ...] = ()
    stdlib: str = ""
    reports: tuple[ReportTarget, ...] = (ReportTarget("text"),)
    stats: bool = False
    gate: GateOptions = GateOptions()
    trace: TraceRequest | None = None
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))

    def chosen_stdlib(self) -> str:
        """NATIVE, CHECKED or WHERE_POSSIBLE, the default."""
        return self.stdlib or WHERE_POSSIBLE

    def cache_environment(self) -> Mapping[str, str]:
        """The environment by which the cache is found."""
        if not self.cache_folder:
            return self.environment
        return {"IRSAN_CACHE_DIR": self.cache_folder, **self.environment}

    def replay_words(self) -> tuple[str, ...]:
        """What follows the token in the command that repeats this run."""
        words = [*(("--engine", self.engine) if self.engine != ENGINES[0] else ())]
        words += ("--cc", self.cc) if self.cc else ()
        words += ("--stdlib", self.stdlib) if self.stdlib else ()
        words += ("--std", self.std) if self.std else ()
        words += [f"-I{folder}" for folder in self.includes]
        words += [f"-D{definition}" for definition in self.defines]
        words += [f"--cflag={flag}" for flag in self.cflags]
        words += [f"-L{folder}" for folder in self.library_folders]
        words += [f"-l{name}" for name in self.libraries]
        words += [str(path) for path in self.programs]
        if any(Path(word).suffix or word.startswith("-") for word in self.arguments):
            words.append("--")  # or the argument may be taken for a program or an option
        return (*words, *self.arguments)

    def replay_settings(self) -> tuple[str, ...]:
        """NAME=value of the environment without which a replay would be another run.

        The guarded pool samples as its flags say, another race detector may find other races; all
        other flags change what is reported of a run.
        """
        names: list[str] = []
        if "thread" in self.sanitize:
            texts = ((name, self.environment.get(name, "")) for name in _DETECTOR_VARIABLES)
            names += [name for name, text in texts if _DETECTOR_FLAG in text]
        if "gwp-asan" in self.sanitize:
            names += _POOL_VARIABLES
        settings = ((name, self.environment.get(name)) for name in names)
        return tuple(f"{name}={text}" for name, text in settings if text)

    def frontend(self) -> FrontendOptions:
        """The part of these options that turns sources into IR."""
        return FrontendOptions(
            opt_level=self.opt_level,
            cc=self.cc,
            cflags=self.cflags,
            std=self.std,
            includes=self.includes,
            defines=self.defines,
            marks_races="thread" in self.sanitize,
            checks_undefined="undefined" in self.sanitize,
            marks_uninitialised="memory" in self.sanitize,
            libraries=self.libraries,
            library_folders=self.library_folders,
            stdlib=self.chosen_stdlib(),
        )
