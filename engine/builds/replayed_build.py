"""A target of a foreign build tree, built once more by irsan-cc, beside the tree.

    replay(DIR, "prog", checks) -> an executable of irsan-cc

The recorded commands of the target, and of the libraries and archives of the tree that it links,
run again with irsan's compiler: in their own folders, with their own words, but into a folder of
the cache, so the tree stays as it is. Fresh files are not made again. Words that mean something
for the first compiler alone are left out: where output and dependencies go, warnings.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import irsan
from irsan.cachedir import cache_root
from irsan.engine.builds.recorded_commands import Step
from irsan.engine.builds.recorded_links import Recipe, recipe
from irsan.engine.builds.toolchain import find_toolchain
from irsan.engine.inputs.dynamic import read_dynamic
from irsan.engine.progress import Progress
from irsan.errors import UsageError

_LEFT_OUT: Final = ("-MD", "-MMD", "-MP", "-MG", "-Werror", "-pedantic-errors", "-save-temps",
                    "-gsplit-dwarf", "-fsanitize=", "-fno-sanitize=", "-Wp,-MD,", "-Wp,-MMD,",
                    "-Wl,-Map", "-Wl,--dependency-file")  # fmt: skip
_LEFT_OUT_VALUES: Final = ("-MF", "-MT", "-MQ", "-MJ", "-o")
#: what gcc warns of, clang refuses
_FORGIVEN: Final = ("-w", "-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int",
                    "-Wno-error=int-conversion",
                    "-Wno-error=incompatible-function-pointer-types")  # fmt: skip
_LIBRARY_ENDINGS: Final = (".so", ".a")
_RPATH: Final = "-Wl,-rpath,"


def replay(
    folder: Path, target: str, sanitize: Sequence[str], progress: Progress
) -> tuple[Path, Path]:
    """Build a target; the executable, and the one of the tree that it stands for.

    sanitize: what the compiler puts in checks for, by -fsanitize=.
    UsageError when the tree does not say how, or a command fails.
    """
    found = recipe(folder, target)
    folder = folder.resolve()
    facts = (str(folder), sorted(sanitize), find_toolchain(os.environ).identity)
    digest = hashlib.sha256(repr(facts).encode()).hexdigest()[:16]
    place = cache_root() / "builds" / f"{folder.name}-{digest}"
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (place / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        work = _Replay(folder, place, found, tuple(sanitize), progress)
        made = work.make(found.target)
        progress("")
    return made, found.target


@dataclass(slots=True)
class _Replay:
    """One build. place: where everything is made."""

    folder: Path
    place: Path
    recipe: Recipe
    sanitize: tuple[str, ...]
    progress: Progress
    made: dict[Path, Path] = field(default_factory=dict)

    def make(self, target: Path) -> Path:
        """Everything that a target needs, then itself."""
        order = list(self._order(target, set()))
        compilations = [one for one in order if one.kind == "compile"]
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            for number, _ in enumerate(pool.map(self._compile, compilations), 1):
                self._tell(target, f"{number} of {len(compilations)} units compiled")
        for step in order:
            if step.kind != "compile":
                self._tell(target, f"linking {step.output.name}")
                self._join(step)
        return self.place_of(target)

    def _tell(self, target: Path, text: str) -> None:
        self.progress(f"building {target.name} (once per change of its sources): {text}")

    def place_of(self, native: Path) -> Path:
        """Where a file of the tree is made again."""
        inside = native.relative_to(self.folder) if native.is_relative_to(self.folder) else (
            Path("outside", *native.parts[1:])
        )  # fmt: skip
        return self.place / inside

    def step_of(self, path: Path) -> Step | None:
        """What makes a file, however its name is written."""
        known = self.recipe.steps
        return known.get(path) or known.get(path.parent.resolve() / path.name) or known.get(
            path.resolve()
        )  # fmt: skip

    def _order(self, target: Path, seen: set[Path]) -> Iterator[Step]:
        step = self.step_of(target)
        if step is None or step.output in seen:
            return
        seen.add(step.output)
        if step.kind != "compile":
            for one in (*step.inputs(), *self._libraries(step).values()):
                yield from self._order(one, seen)
        yield step

    def _compile(self, step: Step) -> None:
        output = self.place_of(step.output)
        named = output.with_name(output.name + ".d")
        words = [*_kept(step.words), *_FORGIVEN, "-MD", "-MF", str(named), "-MT", "it"]
        words += [f"-fsanitize={name}" for name in self.sanitize]
        command = _command(step, [*words, "-o", str(output)])
        if not _is_fresh(output, command):
            self._run(command, step, output)
            _remember(output, command, _dependencies(named, step.folder))

    def _join(self, step: Step) -> None:
        output = self.place_of(step.output)
        made = {path: self._made(path) for path in step.inputs()}
        if step.kind == "archive":
            members = [str(made[step.folder / word]) for word in step.words
                       if step.folder / word in made]  # fmt: skip
            command = [step.tool, "rcs", str(output), *members]
        else:
            command = _command(step, [*self._link_words(step, made), "-o", str(output)])
        if _is_fresh(output, command):
            return
        output.unlink(missing_ok=True)
        self._run(command, step, output)
        _remember(output, command, [str(one) for one in made.values()])
        if step.kind == "link":
            _name_library(output)

    def _link_words(self, step: Step, made: Mapping[Path, Path]) -> Iterator[str]:
        libraries = self._libraries(step)
        for word in _kept(step.words):
            path = step.folder / word
            if path in made and not word.startswith("-"):
                yield str(made[path])
                yield from self._run_path(path)
            elif word in libraries:
                yield str(self._made(libraries[word]))
                yield from self._run_path(libraries[word])
            elif word.startswith(_RPATH):
                yield word.replace(str(self.folder), str(self.place))
            else:
                yield word
        yield from (f"-fsanitize={name}" for name in self.sanitize)

    def _made(self, path: Path) -> Path:
        """What stands for an input: made again, or the tree's own file."""
        step = self.step_of(path)
        return self.place_of(step.output) if step is not None else path

    def _run_path(self, path: Path) -> Iterator[str]:
        step = self.step_of(path)
        if step is not None and step.kind == "link":
            yield f"{_RPATH}{self.place_of(step.output).parent}"

    def _libraries(self, step: Step) -> dict[str, Path]:
        """The -l words that mean libraries of the tree."""
        if step.kind != "link":
            return {}
        folders = [step.folder / word[2:] for word in step.words if word.startswith("-L")]
        found: dict[str, Path] = {}
        for word in step.words:
            if word.startswith("-l"):
                names = [f"lib{word[2:]}{end}" for end in _LIBRARY_ENDINGS]
                paths = (one / name for one in folders for name in names)
                path = next((one for one in paths if self.step_of(one) is not None), None)
                if path is not None:
                    found[word] = path
        return found

    def _run(self, command: Sequence[str], step: Step, output: Path) -> None:
        output.parent.mkdir(parents=True, exist_ok=True)
        if not step.folder.is_dir():
            raise UsageError(f"{step.output}: the folder {step.folder} of its command is gone")
        environment = {name: text for name, text in os.environ.items() if name != "IRSAN_NATIVE"}
        done = subprocess.run(
            command, cwd=step.folder, capture_output=True, text=True, check=False,
            env=environment, errors="replace",
        )  # fmt: skip
        if done.returncode:
            self.progress("")
            raise UsageError(
                f"{step.output}: its recorded command fails with irsan's compiler (has the tree "
                f"been built? what generators make must be there):\n{done.stderr.strip()}"
            )


def _command(step: Step, words: Sequence[str]) -> list[str]:
    root = str(Path(irsan.__file__).parent.parent)
    name = "main_cxx" if step.is_cxx else "main_c"
    boot = (f"import sys; sys.path[0] = {root!r}; from irsan.compiler_wrapper import {name}; "
            f"sys.exit({name}())")  # fmt: skip
    return [sys.executable, "-c", boot, *words]


def _kept(words: Sequence[str]) -> Iterator[str]:
    """A recorded command's words without those that are for its own compiler or output."""
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word in _LEFT_OUT_VALUES:
            skip = True
        elif not word.startswith((*_LEFT_OUT, *_LEFT_OUT_VALUES)):
            yield word


def _dependencies(named: Path, folder: Path) -> list[str]:
    """The files that a dependency file lists."""
    text = named.read_text(errors="surrogateescape").replace("\\\n", " ") if named.is_file() else ""
    words = text.partition(":")[2].replace("\\ ", "\0").split()
    return [str(folder / word.replace("\0", " ")) for word in words]


def _seal(output: Path) -> Path:
    return output.with_name(output.name + ".made")


def _remember(output: Path, command: Sequence[str], files: Sequence[str]) -> None:
    facts = [list(command), [[name, _stamp(name)] for name in files]]
    _seal(output).write_text(json.dumps(facts))


def _is_fresh(output: Path, command: Sequence[str]) -> bool:
    try:
        known, files = json.loads(_seal(output).read_text())
    except (OSError, ValueError):
        return False
    is_same = known == list(command) and output.is_file()
    return is_same and all(_stamp(name) == stamp for name, stamp in files)


def _stamp(name: str) -> list[int]:
    try:
        facts = os.stat(name)  # noqa: PTH116  thousands of headers
    except OSError:
        return []
    return [facts.st_mtime_ns, facts.st_size]


def _name_library(output: Path) -> None:
    """A shared library under the name by which programs ask for it."""
    soname = read_dynamic(output.read_bytes(), str(output)).soname
    if soname and soname != output.name:
        link = output.with_name(soname)
        link.unlink(missing_ok=True)
        link.symlink_to(output.name)
