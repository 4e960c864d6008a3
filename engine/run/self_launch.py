"""Programs that run themselves again: their argv[0] names a script that runs irsan on them.

    execv(argv[0], argv)    ->    #!/bin/sh
                                  exec python -m irsan run --sanitize ... /src/prog.c -- "$@"

Natively argv[0] is the program; here it is a source, which cannot be executed.  So a program that
calls a function of the exec family or posix_spawn gets such a script for its name; every other
program finds its source there, as in reports.

/proc/self/exe is that script as well, or the source (interceptors/system/own_path.py).
"""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Final

from irsan.engine.options import RunOptions
from irsan.own_process import module_command
from irsan.sealed import read_own, write_atomically

_STARTERS: Final = frozenset((
    "execl", "execle", "execlp", "execv", "execve", "execvp", "execvpe", "posix_spawn",
    "posix_spawnp",
))  # fmt: skip
_MODE: Final = 0o755


def starts_programs(undefined_names: Collection[str]) -> bool:
    """Whether a program calls, by the names of the library functions it uses, others."""
    return not _STARTERS.isdisjoint(undefined_names)


def launcher(options: RunOptions, folder: Path) -> Path:
    """The script for a program in a folder of its own below `folder`; the source if that fails."""
    text = _script(options)
    place = folder / hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()[:16]
    path = place / options.programs[0].stem
    try:
        if read_own(path) != (content := text.encode("utf-8", "surrogateescape")):
            write_atomically(path, (content,), mode=_MODE)
    except OSError:
        return options.programs[0]
    return path


def _script(options: RunOptions) -> str:
    """The same program under the same sanitizers and seed, with the caller's arguments."""
    programs = tuple(path.absolute() for path in options.programs)
    includes = tuple(str(Path(folder).absolute()) for folder in options.includes)
    same = replace(options, programs=programs, includes=includes, arguments=())
    words = [
        *module_command("irsan", "run", "--sanitize", ",".join(sorted(options.sanitize))),
        *("--seed", str(options.seed), f"-O{options.opt_level}", *same.replay_words(), "--"),
    ]
    return f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n'
