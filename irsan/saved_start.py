"""Where irsan-cc and `irsan run` go on from saved processes (engine/snapshot): a build starts
irsan-cc thousands of times, and a run takes a tenth of the time and half of the memory.

    irsan-cc WORDS    ->  RESTORE CACHE LANGUAGE argv[0] WORDS     the saved process, WORDS in hand
                      ->  python -E -c BOOT CACHE LANGUAGE ...     where anything is not as it was
    irsan run WORDS   ->  RESTORE CACHE run argv[0] run WORDS      likewise

What this module imports costs each start its time: nothing but what Python has loaded itself.
"""

from __future__ import annotations

import os
import sys

import irsan

TYPE_CHECKING = False  # as typing's, without importing it
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
_BOOT = (
    "import sys; sys.path[0] = {root!r}; from {module} import main_started; "
    "sys.exit(main_started(sys.argv[1:]))"
)
COMPILER, RUN = "compiler", "run"
_STARTED_BY = {COMPILER: "irsan.compiler_wrapper", RUN: "irsan.__main__"}
_SWITCHES = ("IRSAN_SNAPSHOT", "IRSAN_HOST")
_OFF = ("off", "0")
_MAX_NAME_BYTES = 255
_OTHERS_WRITE = 0o022


def go_on(language: str, argv: Sequence[str], saved: str = COMPILER) -> None:
    """Become a saved process; returns where there is none.

    language: `c` or `c++` for COMPILER; any word for RUN.
    """
    cache = _cache(os.environ)
    restorer = restorer_of(os.environ, saved)
    if cache is None or restorer is None or is_switched_off(os.environ):
        return
    if all(map(_is_own, (cache, f"{cache}/{irsan.__version__}", restorer))):
        try:
            os.execv(restorer, [restorer, cache, language, *argv])
        except OSError:
            return


def is_switched_off(environment: Mapping[str, str]) -> bool:
    """Whether the user wants nothing to start from a saved process."""
    return any(environment.get(name, "") in _OFF for name in _SWITCHES)


def is_ahead_off(environment: Mapping[str, str]) -> bool:
    """Whether the user wants nothing made before it is asked for."""
    return environment.get("IRSAN_AHEAD", "") in _OFF


def restorer_of(environment: Mapping[str, str], saved: str = COMPILER) -> str | None:
    """What goes on from a saved process of this Python and these sources, be it there or not.

    saved: COMPILER or RUN.
    """
    cache = _cache(environment)
    name = f"{saved}-" + f"{sys.executable}:{_root()}".replace("%", "%25").replace("/", "%2F")
    if cache is None or len(os.fsencode(name)) > _MAX_NAME_BYTES:
        return None
    return f"{cache}/{irsan.__version__}/tools/{name}/restore"


def _cache(environment: Mapping[str, str]) -> str | None:
    """The cache folder of all versions, where its name is plain to see (irsan.cachedir)."""
    if own := environment.get("IRSAN_CACHE_DIR"):
        return None if own.startswith("~") else os.path.abspath(own)  # noqa: PTH100
    xdg, home = environment.get("XDG_CACHE_HOME", ""), environment.get("HOME", "")
    if xdg.startswith("/"):
        return f"{xdg}/irsan"
    return f"{home}/.cache/irsan" if home.startswith("/") else None


def _is_own(path: str) -> bool:
    """Whether a path leads to something of this user that no one else may write."""
    try:
        itself, behind = os.lstat(path), os.stat(path)  # noqa: PTH116
    except OSError:
        return False
    me = os.geteuid()
    return itself.st_uid == me == behind.st_uid and not behind.st_mode & _OTHERS_WRITE


def _root() -> str:
    return os.path.dirname(os.path.dirname(os.path.abspath(irsan.__file__)))  # noqa: PTH100, PTH120


def boot_text(saved: str = COMPILER) -> str:
    """The program that Python is given where the saved process does not fit."""
    return _BOOT.format(root=_root(), module=_STARTED_BY[saved])
