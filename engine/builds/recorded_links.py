"""What a target of a build tree is linked of, as the tree itself says it.

    build.ninja     ninja -t commands TARGET
    CMake's make    CMakeFiles/TARGET.dir/link.txt
    anything else   the executable that the build has made (linked_binary.py)
"""

from __future__ import annotations

import difflib
import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from irsan.engine.builds.linked_binary import steps_of_binary
from irsan.engine.builds.recorded_commands import Step, read_compile_commands, understood
from irsan.engine.inputs.elf_file import is_elf
from irsan.errors import UsageError

_NINJA: Final = ("ninja", "ninja-build", "samu")
_MOST_NAMES: Final = 3
_NO_PROGRAMS: Final = (".o", ".a", ".c", ".h", ".cpp", ".d", ".symbols", ".ninja", ".txt", ".cmake")
_HEAD_BYTES: Final = 8


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a target is made. steps: by what each makes;  target: the last link's output."""

    steps: Mapping[Path, Step]
    target: Path


@dataclass(slots=True)
class _Links:
    """Link and archive commands by output; names by which a user may know the outputs."""

    steps: dict[Path, Step] = field(default_factory=dict)
    names: dict[str, Path] = field(default_factory=dict)


def recipe(folder: Path, target: str) -> Recipe:
    """The recipe of a target. UsageError when there is no such target, or nothing says how it is
    made."""
    folder = folder.resolve()
    compilations = read_compile_commands(folder)
    if (folder / "build.ninja").is_file():
        return _of_ninja(folder, target, compilations)
    links = _of_cmake(folder)
    if links.steps:
        path = _chosen(target, links.names, folder)
        return Recipe({**compilations, **links.steps}, path)
    made = _made_binary(folder, target, compilations)
    return Recipe({**compilations, **steps_of_binary(made, folder, compilations)}, made)


def _of_ninja(folder: Path, target: str, compilations: Mapping[Path, Step]) -> Recipe:
    ninja = next(filter(None, map(shutil.which, _NINJA)), None)
    if ninja is None:
        raise UsageError(f"{folder}/build.ninja is asked by ninja, which is not on PATH")
    rows = _output(ninja, folder, "-t", "targets", "all").splitlines()
    known = {row.rpartition(": ")[0] for row in rows}
    known = {name for name in known if not name.endswith(_NO_PROGRAMS)}
    bases = Counter(Path(name).name for name in known)
    names = {Path(name).name: name for name in known if bases[Path(name).name] == 1}
    names |= {name: name for name in known}
    name = names[_known(target, names, folder)]
    text = _output(ninja, folder, "-t", "commands", name)
    found = [step for line in text.splitlines() for step in understood(folder, line)]
    steps = {step.output: step for step in found}
    last = next((step for step in reversed(found) if step.kind == "link"), None)
    wanted = folder / name
    if wanted in steps and steps[wanted].kind == "link":
        last = steps[wanted]
    if last is None:
        raise UsageError(f"{target}: is made by no command of {folder}/build.ninja that links")
    return Recipe({**steps, **compilations}, last.output)


def _of_cmake(folder: Path) -> _Links:
    links = _Links()
    for path in sorted(folder.rglob("CMakeFiles/*.dir/link.txt")):
        where = path.parents[2]
        for line in path.read_text(errors="surrogateescape").splitlines():
            for step in understood(where, line):
                links.steps[step.output] = step
                if step.kind == "link":
                    for name in (path.parent.name.removesuffix(".dir"), step.output.name):
                        links.names.setdefault(name, step.output)
                    links.names[str(step.output.relative_to(folder))] = step.output
    return links


def _made_binary(folder: Path, target: str, compilations: Mapping[Path, Step]) -> Path:
    """The executable that the build has made; that of libtool where its script stands."""
    for path in (folder / target, Path(target).absolute()):
        for one in (path.parent / ".libs" / path.name, path):
            if _is_binary(one):
                return one.resolve()
    places = {folder, *(step.folder for step in compilations.values())}
    places |= {path.parent for path in compilations}
    made = {one.name: one for place in places if place.is_dir() for one in place.iterdir()
            if os.access(one, os.X_OK) and _is_binary(one)}  # fmt: skip
    return _chosen(target, made, folder)


def _is_binary(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return is_elf(file.read(_HEAD_BYTES))
    except OSError:
        return False


def _chosen(target: str, names: Mapping[str, Path], folder: Path) -> Path:
    return names[_known(target, names, folder)]


def _known(target: str, names: Iterable[str], folder: Path) -> str:
    """The name itself, or the target that a path leads to. UsageError with the nearest names."""
    given = Path(target).absolute()
    inside = str(given.relative_to(folder)) if given.is_relative_to(folder) else target
    names = list(names)
    for name in (target, target.removeprefix("./"), inside):
        if name in names:
            return name
    near = difflib.get_close_matches(target, names, n=_MOST_NAMES)
    if not near:
        near = difflib.get_close_matches(Path(target).name, names, n=_MOST_NAMES)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    raise UsageError(f"{target}: no such target in {folder}{hint}")


def _output(ninja: str, folder: Path, *words: str) -> str:
    done = subprocess.run(
        [ninja, "-C", str(folder), *words], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise UsageError(f"{folder}: ninja says: {(done.stderr or done.stdout).strip()}")
    return done.stdout
