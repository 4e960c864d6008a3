"""A program that a compiler turns into one module of bitcode, and libraries beside it."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from irsan.engine.cache import Cache
from irsan.engine.front_end.ir_input import read_ir_parts
from irsan.engine.producers import made_parts
from irsan.engine.producers.made_parts import MadeParts
from irsan.errors import UsageError


@dataclass(frozen=True, slots=True)
class ModuleCompilation:
    """One compilation.

    path: the source, as the user wrote it;  title: the compiler, for messages.
    command: all words but those that name the output, which `output` gives.
    identity: what the result depends on beside the words and the source.
    reads_others: whether the source may include files that are not known.
    libraries, folders: what is linked beside, as `-l` and `-L`;  objects: more that is linked.
    """

    path: Path
    title: str
    command: tuple[str, ...]
    output: Callable[[Path], Sequence[str]]
    identity: str
    reads_others: bool = False
    libraries: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()

    def key(self) -> str:
        """Names the result in the cache."""
        facts = (self.command, self.identity, str(Path.cwd()), self.libraries, self.folders,
                 self.path.read_bytes())  # fmt: skip
        return hashlib.sha256(repr(facts).encode()).hexdigest()


def compile_module(
    one: ModuleCompilation, cache: Cache, environment: Mapping[str, str]
) -> tuple[MadeParts, str]:
    """The parts, and what was printed. UsageError when the source is not compiled."""
    key = one.key()
    known = made_parts.lookup(cache, key)
    if known is not None:
        return known
    started_ns = time.time_ns()
    with tempfile.TemporaryDirectory(prefix="irsan-") as place:
        made = Path(place, "made.bc")
        answer = subprocess.run(
            [*one.command, *one.output(made)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, env=dict(environment), check=False,
        )  # fmt: skip
        printed = answer.stdout.decode(errors="replace")
        if answer.returncode or not made.exists():
            sys.stderr.write(printed)
            raise UsageError(f"{one.path}: does not compile with {one.title}")
        (bitcode,) = read_ir_parts([(str(one.path), made.read_bytes())])
    parts = MadeParts(((str(one.path), bitcode),), (), one.libraries, one.folders)
    if not one.reads_others:
        made_parts.store(cache, key, parts, printed, [str(one.path)], started_ns)
    return parts, printed


def find_compiler(
    path: Path, variable: str, names: Sequence[str], advice: str, environment: Mapping[str, str]
) -> str:
    """The command in a variable of the environment, or the first name on PATH.

    UsageError with the advice when there is none.
    """
    named = environment.get(variable, "")
    for name in (named,) if named else names:
        found = shutil.which(name, path=environment.get("PATH"))
        if found is not None:
            return found
    if named:
        raise UsageError(f"{variable}: {named}: no such command")
    raise UsageError(f"{path}: no {names[0]} on PATH; {advice}, or name a compiler in {variable}")


def identity_of(command: str) -> str:
    """What changes when an installed compiler does."""
    real = Path(command).resolve()
    status = real.stat()
    return f"{real} {status.st_size} {status.st_mtime_ns}"


def word_of(path: Path) -> str:
    """A source on a command line: never an option."""
    return f"./{path}" if str(path).startswith("-") else str(path)
