"""Where irsan keeps what it can make again: one folder, and in it one folder per version.

IRSAN_CACHE_DIR, else XDG_CACHE_HOME/irsan, else ~/.cache/irsan; where HOME says nothing, the home
that the system knows for this user: test suites run programs in an empty environment.

What lies there is executed, so a folder that another user could write is refused, whoever made it:
it must be this user's own, writable by no one else, and not a link of another user.
"""

from __future__ import annotations

import functools
import os
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path

import irsan


def cache_base(environment: Mapping[str, str]) -> Path | None:
    """The cache folder of all versions, or None when there is no home to put it in."""
    if own := environment.get("IRSAN_CACHE_DIR"):
        return Path(own).expanduser().absolute()
    xdg = Path(environment.get("XDG_CACHE_HOME", ""))
    if xdg.is_absolute():  # the XDG rules: relative values are to be ignored
        return xdg / "irsan"
    home = environment.get("HOME") or _home_of_user()
    return Path(home) / ".cache" / "irsan" if home else None


def _home_of_user() -> str:
    """The home in the system's list of users; "" for a user that is not there."""
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return ""


def cache_root() -> Path:
    """A writable folder for this version's files: in the cache, or private to this process."""
    base = cache_base(os.environ)
    if base is not None and why_refused(base) is None:
        root = base / irsan.__version__
        if is_writable_folder(root):
            return root
    return Path(private_folder().name)


def kept_root() -> Path:
    """Where this version's files are to be read: the cache, also where it cannot be written, as in
    the sandbox of a build; without one, the folder of cache_root."""
    base = cache_base(os.environ)
    if base is not None and why_refused(base) is None and (base / irsan.__version__).is_dir():
        return base / irsan.__version__
    return cache_root()


def why_refused(base: Path) -> str | None:
    """Why nothing is read from a cache folder, or written to it: in words, None when it may be."""
    for folder in (base, base / irsan.__version__):
        reason = _why_not_ours(folder)
        if reason is not None:
            return f"{folder} {reason}"
    return None


def _why_not_ours(folder: Path) -> str | None:
    me = os.geteuid()
    try:
        itself, behind = folder.lstat(), folder.stat()
    except OSError:  # absent, or not reachable: writing to it gives the error
        return None
    if itself.st_uid != me:
        kind = "is a symbolic link of" if stat.S_ISLNK(itself.st_mode) else "belongs to"
        return f"{kind} user {itself.st_uid}, and irsan runs as user {me}"
    if behind.st_uid != me:
        return f"leads to a folder of user {behind.st_uid}, and irsan runs as user {me}"
    if behind.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        mode = stat.S_IMODE(behind.st_mode)
        return f"can be written by other users (mode {mode:o}; chmod go-w mends it)"
    return None


def is_writable_folder(path: Path) -> bool:
    """Whether the folder is there, or could be made, and takes files."""
    try:
        make_private_folders(path)
    except OSError:
        return False
    return os.access(path, os.W_OK | os.X_OK)


def make_private_folders(path: Path) -> None:
    """Make a folder, and those above it, that only this user may enter. OSError if it cannot."""
    if path.is_dir():
        return
    if path.parent != path:
        make_private_folders(path.parent)
    path.mkdir(mode=0o700, exist_ok=True)


@functools.cache
def private_folder() -> tempfile.TemporaryDirectory[str]:
    """One temporary folder per process, deleted at its end."""
    return tempfile.TemporaryDirectory(prefix="irsan-")
