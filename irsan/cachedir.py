"""Where irsan keeps what it can make again: one folder, and in it one folder per version.

IRSAN_CACHE_DIR, else XDG_CACHE_HOME/irsan, else ~/.cache/irsan.
"""

from __future__ import annotations

import functools
import os
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
    if home := environment.get("HOME"):
        return Path(home) / ".cache" / "irsan"
    return None


def cache_root() -> Path:
    """A writable folder for this version's files: in the cache, or private to this process."""
    base = cache_base(os.environ)
    if base is not None and is_writable_folder(base / irsan.__version__):
        return base / irsan.__version__
    return Path(private_folder().name)


def is_writable_folder(path: Path) -> bool:
    """Whether the folder is there, or could be made, and takes files."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(path, os.W_OK | os.X_OK)


@functools.cache
def private_folder() -> tempfile.TemporaryDirectory[str]:
    """One temporary folder per process, deleted at its end."""
    return tempfile.TemporaryDirectory(prefix="irsan-")
