"""The snapshot of a cache: taken when a program is linked or the cache is warmed up.

It lies beside the restorer, in the folder of irsan-cc's own parts. Programs that run never take
one: it would cost them time, and be a child of theirs.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from irsan.engine.runtime_image import source_hash
from irsan.engine.snapshot.take import PROGRAM, ChangedMeanwhile, NotTaken, take_snapshot
from irsan.saved_start import is_switched_off as is_switched_off
from irsan.sealed import read_sealed, write_sealed

_HERE: Final = Path(__file__).parent
_RETRY_S: Final = 3600.0  # taking one costs a second, each time it does not work
_SETTLED_S: Final = 0.05  # until a folder has not just changed, for take.py


def is_current(restorer: Path) -> bool:
    """Whether a program that is started now would go on from the snapshot."""
    try:
        return subprocess.run([restorer, "--check"], check=False, env={}).returncode == 0
    except OSError:
        return False


def renew_snapshot(
    restorer: Path, root: str, cache: str, *, is_patient: bool = False, module: str = PROGRAM
) -> bool:
    """Take a snapshot unless there is a current one; whether there is one now.

    root: where irsan is imported from.  is_patient: try again what has just failed, and wait for
    another process that is at it.  module: as for take_snapshot.
    """
    folder = restorer.parent
    if is_current(restorer):
        return True
    if not is_patient and has_just_failed(folder):
        return False
    with _alone_in(folder, is_patient=is_patient) as is_alone:
        if is_alone and not is_current(restorer):
            _take(restorer, root, cache, module)
    return is_current(restorer)


def why_not(folder: Path, younger_than_s: float = float("inf")) -> str:
    """What has kept the last snapshot from being taken; "" when nothing has."""
    place = _failure(folder)
    try:
        age_s = time.time() - place.stat().st_mtime
    except OSError:
        return ""
    return (read_sealed(place) or b"").decode() if age_s < younger_than_s else ""


def _take(restorer: Path, root: str, cache: str, module: str) -> None:
    place = _failure(restorer.parent)
    _make_bytecode_folders(source_hash.all_sources())
    try:
        try:
            take_snapshot(restorer, restorer.parent, root, cache, module)
        except ChangedMeanwhile:
            take_snapshot(restorer, restorer.parent, root, cache, module)
        place.unlink(missing_ok=True)
    except NotTaken as reason:
        with contextlib.suppress(OSError):
            write_sealed(place, str(reason).encode())


def _make_bytecode_folders(sources: Iterable[str]) -> None:
    """Python makes them when it first compiles a source, and a snapshot is old when a folder that
    it depends on has another name in it.  Started with -E it looks at no variable that forbids it.
    """
    wanted = {Path(path).with_name("__pycache__") for path in sources if path.endswith(".py")}
    missing = [folder for folder in wanted if not folder.exists()]
    for folder in missing:
        with contextlib.suppress(OSError):  # nobody else can write there either
            folder.mkdir()
    if missing:
        time.sleep(_SETTLED_S)


def has_just_failed(folder: Path) -> bool:
    """Whether it is too early to try again."""
    return bool(why_not(folder, younger_than_s=_RETRY_S))


def _failure(folder: Path) -> Path:
    return folder / "not-taken"


@contextlib.contextmanager
def _alone_in(folder: Path, *, is_patient: bool) -> Iterator[bool]:
    """Whether this process is the one that takes the snapshot."""
    try:
        lock = os.open(folder / "taking", os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        yield False
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | (0 if is_patient else fcntl.LOCK_NB))
        yield True
    except BlockingIOError:
        yield False
    finally:
        os.close(lock)


def files_it_depends_on() -> list[str]:
    """Sources of all modules that this process has, of the built runtime, of programs' code, and of
    the restorer.

    Folders count with their lists of names.
    """
    names = ("restore.c", "restore.lds", "system_calls.h", "sample.c")
    own = {f"{_HERE}/{name}" for name in names}
    loaded = {getattr(module, "__file__", None) or "" for module in list(sys.modules.values())}
    found = {*own, *loaded, *source_hash.all_sources(), sys.executable}
    return sorted(path for path in found if os.path.isabs(path) and os.path.exists(path))  # noqa: PTH110, PTH117
