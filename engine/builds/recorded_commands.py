"""Commands that a build has recorded, as steps: inputs, outputs and options.

    read_compile_commands(DIR)     the compilations of DIR/compile_commands.json
    understood(folder, text)       the compilations, archives and links in a shell's line

Anything else (code generators, copies, tests) is no step: what it makes is there already, as the
tree has been built.

Source: clang's "JSON Compilation Database Format Specification".
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from irsan.engine.builds.words import LINK, OBJECT, Words, parse_words
from irsan.errors import UsageError

FILE: Final = "compile_commands.json"
_COMPILER: Final = re.compile(
    r"(.+-)?(?P<name>cc|gcc|clang|icx|c\+\+|g\+\+|clang\+\+|icpx)(-[\d.]+)?|irsan-c(c|\+\+)"
)
_ARCHIVER: Final = re.compile(r"(.+-)?ar(-[\d.]+)?")
_LAUNCHERS: Final = ("ccache", "distcc", "sccache", "icecc", "env", "time", "nice", "command")
_BETWEEN: Final = re.compile(r"[&;|]+")
_MEMBER_ENDINGS: Final = (".o", ".obj", ".lo")


@dataclass(frozen=True, slots=True)
class Step:
    """One command. words: those behind the compiler's or archiver's name, response files read.

    output: what it makes;  tool: an archiver's own name.
    """

    kind: Literal["compile", "archive", "link"]
    folder: Path
    words: tuple[str, ...]
    output: Path
    is_cxx: bool = False
    tool: str = ""

    def parsed(self) -> Words:
        """A compiler's words, read."""
        return parse_words(self.words)

    def inputs(self) -> list[Path]:
        """Files that an archive or a link is made of, as far as words name them by path."""
        if self.kind == "archive":
            return [self.folder / word for word in self.words if word.endswith(_MEMBER_ENDINGS)]
        return [self.folder / one.path for one in self.parsed().inputs if one.path != "-"]


def read_compile_commands(folder: Path) -> dict[Path, Step]:
    """Compilations by the object that each makes.

    UsageError when the file is missing or damaged; an entry of another kind of compiler is left
    out (`entry_of` says which it was).
    """
    steps = {}
    for entry in _entries(folder):
        for step in _steps_of(entry):
            if step.kind == "compile":
                steps[step.output] = step
    return steps


def entry_of(folder: Path, source: str) -> str:
    """The recorded command of a source, for a message; empty when there is none."""
    for entry in _entries(folder):
        if Path(entry["file"]).name == Path(source).name:
            return str(entry.get("command") or shlex.join(entry.get("arguments", ())))
    return ""


def understood(folder: Path, text: str) -> list[Step]:
    """The steps in a line of a shell, run in a folder."""
    found = []
    for words in _simple_commands(text):
        if words[0] == "cd" and len(words) > 1:
            folder = folder / words[1]
        else:
            found += _steps(folder, words)
    return found


def _entries(folder: Path) -> list[dict[str, Any]]:
    path = folder / FILE
    try:
        entries = json.loads(path.read_text())
        if not isinstance(entries, list) or not all(
            {"directory", "file"} <= set(one) and ({"command", "arguments"} & set(one))
            for one in entries
        ):
            raise ValueError("it is no list of commands with directory, file and command")
    except FileNotFoundError:
        raise UsageError(
            f"{path}: is not there; CMake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, Meson "
            "always, for make:  bear -- make"
        ) from None
    except (OSError, ValueError, TypeError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from None
    return entries


def _steps_of(entry: dict[str, Any]) -> list[Step]:
    folder = Path(entry["directory"])
    if "arguments" in entry:
        return _steps(folder, [str(one) for one in entry["arguments"]])
    return understood(folder, entry["command"])


def _simple_commands(text: str) -> Iterator[list[str]]:
    reader = shlex.shlex(text, posix=True, punctuation_chars="&;|")
    reader.whitespace_split, reader.commenters = True, ""
    words: list[str] = []
    try:
        for word in reader:
            if _BETWEEN.fullmatch(word):
                if words:
                    yield words
                words = []
            else:
                words.append(word)
    except ValueError as error:
        raise UsageError(f"a recorded command cannot be understood ({error}): {text}") from None
    if words:
        yield words


def _steps(folder: Path, words: Sequence[str]) -> list[Step]:
    while words and (Path(words[0]).name in _LAUNCHERS or re.match(r"\w+=", words[0])):
        words = words[1:]
    if not words:
        return []
    name, rest = Path(words[0]).name, tuple(words[1:])
    if _ARCHIVER.fullmatch(name):
        made = next((word for word in rest if word.endswith(".a")), None)
        return [Step("archive", folder, rest, _at(folder, made), tool=words[0])] if made else []
    compiler = _COMPILER.fullmatch(name)
    if compiler is None:
        return []
    parsed = parse_words(rest)
    kind: Literal["compile", "link"] = "compile" if parsed.mode == OBJECT else "link"
    if parsed.mode not in (OBJECT, LINK) or not parsed.inputs:
        return []
    output = parsed.output or (
        f"{Path(parsed.inputs[0].path).stem}.o" if kind == "compile" else "a.out"
    )
    is_cxx = (compiler["name"] or name).endswith("++")
    return [Step(kind, folder, tuple(parsed.words), _at(folder, output), is_cxx)]


def _at(folder: Path, name: str) -> Path:
    """The real path of what a command names, without a last link being followed."""
    path = folder / name
    return path.parent.resolve() / path.name
