"""Take a snapshot: start a subject, wait until it is ready, write what it is, and end it.

    page contents      those that the subject has changed; all else is mapped from the same files
    trust              pages are written, synced and stamped before the table names them

The subject gets a huge limit for its stack, so that its libraries lie far below the addresses that
the kernel gives stacks: a process that becomes it has its own stack there.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
import time
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from irsan.engine.snapshot import other_process as other
from irsan.engine.snapshot.other_process import PAGE_BYTES, Area
from irsan.engine.snapshot.table import (
    ANONYMOUS,
    CPU_BYTES,
    GROWS,
    MAX_KEPT,
    OF_FILE,
    SHARED,
    Fill,
    Mapping,
    Needed,
    SavedProcess,
    ThreadFacts,
    encode,
    stamp_of,
)
from irsan.runtime.layout import memory_map
from irsan.sealed import write_atomically

_STACK_BYTES: Final = 16 << 40
_THREAD_BYTES: Final = 0x900  # of struct pthread, in which its number is looked for
_FS_BASE: Final = 21
_PAIR_BYTES: Final = 16  # of the auxiliary vector: a kind and its value
_STACK_AREA, _VDSO, _VSYSCALL = "[stack]", "[vdso]", "[vsyscall]"
_SPECIAL: Final = ("[vvar", _VDSO)
_MAX_GAP: Final = 8 * PAGE_BYTES
_JOINED_BYTES: Final = 2 * PAGE_BYTES  # between pages that some need: a mapping costs more
_LARGE_BYTES: Final = 1 << 30
_CLOCK_STEP_NS: Final = 20_000_000  # of the times of files
_RSEQ_UNSET: Final = (0).to_bytes(4, "little") + b"\xff" * 4 + bytes(8)
PROGRAM, COMPILER = "irsan.saved_program", "irsan.saved_compiler"
RUN = "irsan.saved_run"
_COMPILER_NAMED_BY: Final = ("PATH", "IRSAN_CC")
_BOOT: Final = (
    "import sys; sys.path[0] = {root!r}; from irsan.low_heap import leave_low_heap; "
    "leave_low_heap(); from {module} import main; main()"
)


class NotTaken(Exception):
    """Why there is no snapshot; runs start the slow way."""


class ChangedMeanwhile(NotTaken):
    """Another try may do: Python makes folders for what it compiles beside sources."""


@dataclass(frozen=True, slots=True)
class _Subject:
    """A process that is ready and stopped: its number, and what it says of itself."""

    pid: int
    facts: dict[str, Any]


def take_snapshot(
    restorer: Path, folder: Path, root: str, cache: str, module: str = PROGRAM
) -> None:
    """Write `table` and `pages` into a folder. NotTaken says why that cannot be done.

    module: PROGRAM, COMPILER or RUN, the process to be saved.
    """
    started_ns = time.time_ns()
    try:
        with _stopped_subject(root, cache, module) as subject:
            saved, contents = _saved(subject, restorer)
        _require_older(saved.files, started_ns)
        keep(saved, contents, folder)
    except (OSError, subprocess.SubprocessError) as error:
        raise NotTaken(str(error)) from error


@contextlib.contextmanager
def _stopped_subject(root: str, cache: str, module: str) -> Iterator[_Subject]:
    environment = {"LC_ALL": "C.UTF-8", "IRSAN_CACHE_DIR": cache, "OPENBLAS_NUM_THREADS": "1"}
    environment |= {name: os.environ[name] for name in _COMPILER_NAMED_BY if name in os.environ}
    command = [sys.executable, "-E", "-Xutf8", "-c", _BOOT.format(root=root, module=module)]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env=environment, cwd="/", preexec_fn=_spread_memory,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            if not line:
                raise NotTaken(f"the process to save has ended with status {process.wait()}")
            _, status = os.waitpid(process.pid, os.WUNTRACED)
            if not os.WIFSTOPPED(status) or os.WSTOPSIG(status) != signal.SIGSTOP:
                raise NotTaken("the process to save cannot be traced")
            yield _Subject(process.pid, json.loads(line))
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)


def _spread_memory() -> None:
    """Move what the kernel places below the stack away from where it places stacks."""
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    if hard == resource.RLIM_INFINITY or hard >= _STACK_BYTES:
        resource.setrlimit(resource.RLIMIT_STACK, (_STACK_BYTES, hard))


def _require_older(files: Iterable[str], started_ns: int) -> None:
    """NotTaken when a file has changed since the subject may have read it."""
    for path in files:
        if Path(path).stat().st_mtime_ns > started_ns - _CLOCK_STEP_NS:
            raise ChangedMeanwhile(f"{path} has just changed")


def _saved(subject: _Subject, restorer: Path) -> tuple[SavedProcess, list[bytes]]:
    """What a table says of a process, and the contents of its pages."""
    pid = subject.pid
    found = [area for area in other.areas(pid) if area.path != _VSYSCALL]
    _require_simple(pid, found)
    own = [area for area in found if not area.path.startswith(_SPECIAL)]
    registers = other.registers(pid)
    rseq = other.restartable_sequences(pid)
    with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:
        thread = _thread_facts(subject, memory, registers[_FS_BASE], rseq)
        auxiliary = _auxiliary(pid, memory, own)
        fills, contents = _fills(pid, memory, own, {rseq[0]: _RSEQ_UNSET} if rseq[0] else {})
    mapped = tuple(_mapping(area) for area in own)
    touched = [other.touched_pages(one) for one in subject.facts.get("rehearsals", ())]
    needed = _needed(touched, own)
    files = sorted({one.path for one in mapped if one.path})
    files += sorted(set(subject.facts["files"]) - set(files))
    cpu, kernel = machine_facts(restorer)
    return SavedProcess(
        cpu, kernel, registers, subject.facts["mailbox"], thread, auxiliary,
        other.layout_of(pid, subject.facts["brk"]),
        tuple((area.lo, area.hi) for area in found if area.path.startswith(_SPECIAL)),
        tuple(files), mapped, tuple(fills), needed,
    ), contents  # fmt: skip


def keep(saved: SavedProcess, contents: Iterable[bytes], folder: Path) -> None:
    """Write both files; the table last, as it vouches for the pages. OSError when that fails."""
    pages = folder / "pages"
    write_atomically(pages, contents)
    with pages.open("rb") as file:
        os.fsync(file.fileno())
        stamp = stamp_of(os.fstat(file.fileno()))
    write_atomically(folder / "table", (encode(saved, stamp),))


def machine_facts(restorer: Path) -> tuple[bytes, str]:
    """The processor's features and the kernel, as the restorer sees them."""
    told = subprocess.run([restorer, "--machine"], capture_output=True, check=True, env={}).stdout
    return told[:CPU_BYTES], told[CPU_BYTES:].decode(errors="surrogateescape")


def _require_simple(pid: int, found: Sequence[Area]) -> None:
    """NotTaken when the process has what cannot be made again."""
    if len(os.listdir(f"/proc/{pid}/task")) != 1:  # noqa: PTH208
        raise NotTaken("the process to save has several threads")
    opened = sorted(map(int, os.listdir(f"/proc/{pid}/fd")))  # noqa: PTH208
    if opened != [0, 1, 2]:
        raise NotTaken(f"the process to save has files open: {opened}")
    if sum(area.path.startswith(_SPECIAL) for area in found) > MAX_KEPT:
        raise NotTaken("the kernel has more mappings of its own than are known")
    for area in found:
        is_odd = area.path.endswith("(deleted)") or (area.is_shared and area.protection & 2)
        if is_odd or (area.path.startswith("/") and not Path(area.path).is_file()):
            raise NotTaken(f"the process to save has mapped {area.path or 'shared memory'}")


def _thread_facts(
    subject: _Subject, memory: IO[bytes], thread: int, rseq: tuple[int, int, int]
) -> ThreadFacts:
    memory.seek(thread)
    raw = memory.read(_THREAD_BYTES)
    wanted = subject.pid.to_bytes(4, "little")
    places = [at for at in range(0, len(raw), 4) if raw[at : at + 4] == wanted]
    if len(places) != 1:
        raise NotTaken("the C library's number of the thread is not found")
    robust_list, robust_bytes = subject.facts["robust_list"]
    return ThreadFacts(thread + places[0], robust_list, robust_bytes, *rseq)


def _auxiliary(pid: int, memory: IO[bytes], own: Sequence[Area]) -> tuple[int, int]:
    """Where the vector lies that the kernel gave it, and how many bytes it has.

    The loader, where it is what was started, has moved the vector and changed entries to Python's.
    """
    raw = Path(f"/proc/{pid}/auxv").read_bytes()
    stack = next(area for area in own if area.path == _STACK_AREA)
    memory.seek(stack.lo)
    held = memory.read(stack.hi - stack.lo)
    at = len(held)
    while (at := held.rfind(raw[:_PAIR_BYTES], 0, at)) >= 0:
        if _kinds(held[at : at + len(raw)]) == _kinds(raw):
            return stack.lo + at, len(raw)
    raise NotTaken("the auxiliary vector is not found")


def _kinds(vector: bytes) -> list[bytes]:
    return [vector[at : at + _PAIR_BYTES // 2] for at in range(0, len(vector), _PAIR_BYTES)]


def _needed(touched: Sequence[dict[int, bool]], own: Sequence[Area]) -> tuple[Needed, ...]:
    """What the subject's rehearsals have touched, in order of address.

    touched: of each rehearsal, pages and whether it has written them
    What only later ones did is needed by some processes: these pages lie apart, and are not taken.
    """
    lows = [one.lo for one in own]
    found: list[Needed] = []
    for page in sorted(set().union(*touched)) if touched and touched[0] else ():
        area = own[bisect_right(lows, page) - 1]
        if area.is_shared or not area.lo <= page < area.hi:
            continue
        is_common = page in touched[0]
        is_taken = is_common and _is_taken(page, touched[0], area)
        lo, gap = page, 0 if is_common else _JOINED_BYTES
        if found and page - found[-1].hi <= gap and found[-1].is_taken == is_taken:
            lo = found.pop().lo
        found.append(Needed(lo, page + PAGE_BYTES, is_taken))
    return tuple(found)


def _is_taken(page: int, touched: dict[int, bool], area: Area) -> bool:
    """Whether a page that was touched, or one beside it, was written.

    One that is only read would need a mapping of its own, which costs more than its copy does where
    it parts ranges that are written.
    """
    beside = (page, page - PAGE_BYTES, page + PAGE_BYTES)
    return bool(area.protection & 2) and any(touched.get(one, False) for one in beside)


def _mapping(area: Area) -> Mapping:
    is_file = area.path.startswith("/")
    kind = ANONYMOUS | (OF_FILE if is_file else 0) | (SHARED if area.is_shared else 0)
    kind |= GROWS if "gd" in area.flags else 0
    path = area.path if is_file else ""
    return Mapping(area.lo, area.hi, area.protection, kind, path, area.offset if is_file else 0)


def _fills(
    pid: int, memory: IO[bytes], own: Sequence[Area], patches: dict[int, bytes]
) -> tuple[list[Fill], list[bytes]]:
    """Changed pages and their contents; patches: bytes that are to be others, by address."""
    fills: list[Fill] = []
    contents: list[bytes] = []
    offset = 0
    for area in own:
        if area.is_shared or "dp" in area.flags:  # dp: the kernel may drop it at any time
            continue
        for lo, hi in _runs(pid, memory, area):
            raw = _patched(_read(memory, lo, hi), lo, patches)
            is_read = bool(area.protection & 2) and "nr" in area.flags
            fills.append(Fill(lo, hi, area.protection, offset, is_read))
            contents.append(raw)
            offset += hi - lo
    return fills, contents


def _runs(pid: int, memory: IO[bytes], area: Area) -> list[tuple[int, int]]:
    """Ranges of changed pages, those that are all zero left out where nothing is under them."""
    runs: list[list[int]] = []
    is_zero_below = not area.path.startswith("/")
    for page in _changed(pid, area):
        if is_zero_below and not any(_read(memory, page, page + PAGE_BYTES)):
            continue
        if runs and page - runs[-1][1] <= _MAX_GAP:
            runs[-1][1] = page + PAGE_BYTES
        else:
            runs.append([page, page + PAGE_BYTES])
    return [(lo, hi) for lo, hi in runs]


def _changed(pid: int, area: Area) -> list[int]:
    if area.resident_bytes == 0:
        return []
    lo, hi = area.lo, area.hi
    if hi - lo > _LARGE_BYTES:  # of what irsan reserves only this part is in use before a run
        hi = min(hi, memory_map.GLOBALS_HI)
    pages = list(other.changed_pages(pid, lo, hi))
    if hi != area.hi and len(pages) * PAGE_BYTES != area.resident_bytes:
        raise NotTaken(f"memory at {area.lo:#x} is in use")
    return pages


def _read(memory: IO[bytes], lo: int, hi: int) -> bytes:
    memory.seek(lo)
    raw = memory.read(hi - lo)
    while len(raw) < hi - lo:
        more = memory.read(hi - lo - len(raw))
        if not more:
            raise NotTaken(f"memory at {lo:#x} cannot be read")
        raw += more
    return raw


def _patched(raw: bytes, lo: int, patches: dict[int, bytes]) -> bytes:
    for address, new in patches.items():
        at = address - lo
        if 0 <= at < len(raw):
            raw = raw[:at] + new + raw[at + len(new) :]
    return raw
