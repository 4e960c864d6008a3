"""Is this machine fit for irsan? One check per thing a run depends on, each with its remedy.

    Check(name, state, text)    state: ok, note (works, slower or smaller) or bad (does not work)

The status is 1 when any check is bad. `note` never changes it.
"""

from __future__ import annotations

import os
import platform
import resource
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Literal, TextIO

import irsan
from irsan.cachedir import cache_base, is_writable_folder, why_refused
from irsan.engine.cache import Cache, folder_size_bytes
from irsan.engine.front_end.compilers import choose_compiler, llvm_version
from irsan.errors import IrsanError, UsageError
from irsan.saved_start import COMPILER, RUN, is_switched_off, restorer_of

MIB = 1 << 20
_MIN_FREE_DISK_BYTES = 200 * MIB
_MIN_MEMORY_BYTES = 1 << 30
#: who goes on from a saved process, and what saves it
_SAVED = {COMPILER: ("irsan-cc", "compiling a file"), RUN: ("irsan run", "running a new program")}


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the doctor's table."""

    name: str
    state: Literal["ok", "note", "bad"]
    text: str


def run_doctor(environment: Mapping[str, str], stream: TextIO) -> int:
    """Print the table of checks to `stream`; returns 0 when nothing is bad, else 1."""
    checks = all_checks(environment)
    if stream.isatty() and "NO_COLOR" not in environment:
        _print_table(checks, stream)
    else:
        for check in checks:
            stream.write(f"{check.state:4}  {check.name:14}  {check.text}\n")
    return int(any(check.state == "bad" for check in checks))


def all_checks(environment: Mapping[str, str]) -> list[Check]:
    """Every check, in the order shown."""
    cache = Cache(cache_base(environment), notify=lambda _: None)
    parts: tuple[Callable[[], Iterable[Check]], ...] = (
        lambda: _version_checks(cache),
        lambda: [_compiler_check(environment, cache)],
        lambda: _cache_checks(cache_base(environment), cache),
        lambda: [_arena_check(Path("/proc/self/maps").read_text())],
        lambda: _memory_checks(),
        lambda: [_processor_check()],
        lambda: [_fast_start_check(environment)],
        lambda: [_kept_process_check(saved, environment) for saved in (COMPILER, RUN)],
    )
    return [check for part in parts for check in part()]


def _version_checks(cache: Cache) -> list[Check]:
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    is_ours = sys.platform == "linux" and platform.machine() == "x86_64"
    llvm = ".".join(map(str, llvm_version(cache)))
    return [
        Check("system", "ok" if is_ours else "bad", system),
        Check("irsan", "ok", f"{irsan.__version__}, python {platform.python_version()}"),
        Check("LLVM", "ok", f"{llvm}, llvmlite {metadata.version('llvmlite')}"),
        Check("numba", "ok", metadata.version("numba")),
    ]


def _compiler_check(environment: Mapping[str, str], cache: Cache) -> Check:
    try:
        return Check("compiler", "ok", choose_compiler(None, environment, cache).title())
    except UsageError as error:
        return Check("compiler", "bad", str(error))


def _cache_checks(asked: Path | None, cache: Cache) -> list[Check]:
    import psutil

    if asked is not None and (refused := why_refused(asked)):
        return [Check("cache", "note", f"not used, as {refused}: every run starts cold")]
    if cache.base is None or cache.root is None:
        return [Check("cache", "note", "no HOME: nothing is kept; set IRSAN_CACHE_DIR")]
    if not is_writable_folder(cache.root):
        text = f"{cache.base} cannot be written: every run starts cold; set IRSAN_CACHE_DIR"
        return [Check("cache", "note", text)]
    used_mib = folder_size_bytes(cache.base) / MIB
    limit_mib = cache.limit_bytes // MIB
    free_bytes = psutil.disk_usage(str(cache.base)).free
    state: Literal["ok", "note"] = "ok" if free_bytes >= _MIN_FREE_DISK_BYTES else "note"
    return [
        Check("cache", "ok", f"{cache.base}: {used_mib:.1f} MiB used of {limit_mib} MiB"),
        Check("disk", state, f"{free_bytes // MIB} MiB free there"),
    ]


def _arena_check(maps: str) -> Check:
    """maps: the text of /proc/self/maps: whether the guest's addresses are still free."""
    from irsan.runtime.layout import memory_map

    span = f"{memory_map.ARENA_LO:#x}-{memory_map.ARENA_HI:#x}"
    for line in maps.splitlines():
        words = line.split()
        low, high = (int(part, 16) for part in words[0].split("-"))
        if low < memory_map.ARENA_HI and high > memory_map.ARENA_LO:
            owner = words[5] if len(words) > 5 else "anonymous memory"
            text = f"{span} is partly taken by {owner} at {low:#x}: programs cannot be run"
            return Check("guest memory", "bad", text)
    return Check("guest memory", "ok", f"{span} is free")


def _memory_checks() -> list[Check]:
    import psutil

    memory = psutil.virtual_memory()
    enough = memory.available >= _MIN_MEMORY_BYTES
    text = f"{memory.available // MIB} MiB available of {memory.total // MIB} MiB"
    return [
        Check("memory", "ok" if enough else "note", text),
        _overcommit_check(Path("/proc/sys/vm/overcommit_memory")),
        _address_space_check(resource.getrlimit(resource.RLIMIT_AS)[0]),
    ]


def _overcommit_check(setting: Path) -> Check:
    try:
        mode = setting.read_text().strip()
    except OSError:
        return Check("overcommit", "note", f"{setting} cannot be read")
    if mode == "2":
        text = "vm.overcommit_memory is 2: large reservations fail; set it to 0 or 1"
        return Check("overcommit", "bad", text)
    return Check("overcommit", "ok", f"vm.overcommit_memory is {mode}")


def _address_space_check(limit_bytes: int) -> Check:
    if limit_bytes == resource.RLIM_INFINITY:
        return Check("address space", "ok", "unlimited")
    text = (
        f"limited to {limit_bytes // MIB} MiB; irsan reserves terabytes: run  ulimit -v unlimited"
    )
    return Check("address space", "bad", text)


def _processor_check() -> Check:
    return Check("processor", "ok", f"{_processor_name()}, {os.cpu_count()} cores")


def _processor_name() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


def _fast_start_check(environment: Mapping[str, str]) -> Check:
    """Whether executables of irsan-cc go on from a saved process."""
    from irsan.engine.builds.native_parts import native_parts
    from irsan.engine.builds.toolchain import find_toolchain

    if is_switched_off(environment):
        return Check("fast start", "note", "switched off by the environment")
    try:
        restorer = native_parts(find_toolchain(environment)).restore
    except (IrsanError, OSError) as error:
        return Check("fast start", "note", f"not without a compiler: {error}")
    return _saved_check("fast start", restorer, "programs of irsan-cc", "linking a program")


def _kept_process_check(saved: str, environment: Mapping[str, str]) -> Check:
    """Whether irsan-cc itself or `irsan run` goes on from a saved process."""
    from irsan.engine.builds.saved_processes import why_not_saved

    place = restorer_of(environment, saved)
    if is_switched_off(environment) or place is None:
        return Check(f"fast {saved}", "note", why_not_saved(saved, environment))
    who, deed = _SAVED[saved]
    return _saved_check(f"fast {saved}", Path(place), who, deed)


def _saved_check(name: str, restorer: Path, who: str, deed: str) -> Check:
    """Whether what starts by a restorer goes on from a snapshot; `deed` would take one."""
    from irsan.engine.snapshot.kept import is_current, why_not

    if is_current(restorer):
        return Check(name, "ok", f"{who}: from a saved process")
    reason = why_not(restorer.parent) or f"`irsan warm-up`, or {deed}, makes it ready"
    return Check(name, "note", f"not ready, {who}: slower to start: {reason}")


def _print_table(checks: list[Check], stream: TextIO) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    colours = {"ok": "green", "note": "yellow", "bad": "red"}
    table = Table(box=None, pad_edge=False)
    for heading in ("", "check", "found"):
        table.add_column(heading)
    for check in checks:
        table.add_row(Text(check.state, style=colours[check.state]), check.name, Text(check.text))
    Console(file=stream).print(table)
