"""Which sources an executable was made of, where no build tool says it: read from the executable.

Its debug information names every unit that was linked, its symbol table at least their files'
names; its dynamic section names the libraries. So it becomes link steps over the recorded
compilations, for itself and for the libraries that lie in the build tree.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from irsan.engine.builds.recorded_commands import Step
from irsan.engine.inputs.dynamic import read_dynamic
from irsan.engine.native_libraries.library_search import is_shared_with_host
from irsan.errors import UsageError

_ATTRIBUTE: Final = re.compile(r"DW_AT_(?P<name>name|comp_dir)\s*:\s*(?:\(.*?\):\s*)?(?P<text>.+)")
_UNIT: Final = "DW_TAG_compile_unit"
_FILE_COLUMN, _NAME_COLUMN = 3, 7
_OF_THE_DRIVER: Final = ("libstdc++.so.6", "libc++.so.1", "libc++abi.so.1")


def steps_of_binary(
    binary: Path, folder: Path, compilations: Mapping[Path, Step]
) -> dict[Path, Step]:
    """Link steps of a binary and of the tree's own libraries that it needs."""
    steps: dict[Path, Step] = {}
    waiting = [binary]
    for one in waiting:  # grows
        dynamic = read_dynamic(one.read_bytes(), str(one))
        own = {name: path for name in dynamic.needed if (path := _in_tree(name, folder))}
        waiting += [path for path in own.values() if path not in waiting]
        objects = _objects(one, folder, compilations)
        others = [f"-l:{name}" for name in dynamic.needed
                  if name not in own and not is_shared_with_host(name)
                  and name not in _OF_THE_DRIVER]  # fmt: skip
        if one is not binary:
            others += ["-shared", f"-Wl,-soname,{dynamic.soname or one.name}"]
        words = (*map(str, objects), *map(str, own.values()), "-lm", *others, "-o", str(one))
        is_cxx = any(compilations[path].is_cxx for path in objects)
        steps[one] = Step("link", folder, words, one, is_cxx)
    return steps


def _in_tree(name: str, folder: Path) -> Path | None:
    found = sorted(path for path in folder.rglob(name) if path.is_file())
    return found[0].resolve() if found else None


def _objects(binary: Path, folder: Path, compilations: Mapping[Path, Step]) -> list[Path]:
    """The recorded objects that the binary is made of. UsageError when they cannot be found out."""
    by_source: dict[Path, Path] = {}
    for output, step in compilations.items():
        for one in step.parsed().sources:
            by_source[(step.folder / one.path).resolve()] = output
    units = [Path(where, name).resolve() for where, name in _debug_units(binary)]
    found = [by_source[path] for path in units if path in by_source]
    if not found:
        found = list(_by_file_names(binary, by_source))
    if not found:
        raise UsageError(
            f"{binary}: nothing says which of {folder}/compile_commands.json it was made of; build "
            "it with -g, and do not strip it"
        )
    return list(dict.fromkeys(found))


def _debug_units(binary: Path) -> list[tuple[str, str]]:
    """(folder, source) of each unit that debug information names."""
    units: list[dict[str, str]] = []
    for line in _readelf("--debug-dump=info", "--dwarf-depth=1", binary):
        if _UNIT in line:
            units.append({})
        elif units and (match := _ATTRIBUTE.search(line)):
            units[-1].setdefault(match["name"], match["text"].strip())
    return [(one.get("comp_dir", "/"), one["name"]) for one in units if "name" in one]


def _by_file_names(binary: Path, by_source: Mapping[Path, Path]) -> Iterable[Path]:
    for line in _readelf("-sW", binary):
        columns = line.split()
        if len(columns) <= _NAME_COLUMN or columns[_FILE_COLUMN] != "FILE":
            continue
        named = [one for path, one in by_source.items() if path.name == columns[_NAME_COLUMN]]
        if len(named) > 1:
            raise UsageError(
                f"{binary}: several sources are called {columns[_NAME_COLUMN]}; build it with -g"
            )
        yield from named


def _readelf(*words: object) -> list[str]:
    try:
        done = subprocess.run(
            ["readelf", *map(str, words)], capture_output=True, text=True, check=False,
            errors="surrogateescape", env={**os.environ, "LC_ALL": "C"},
        )  # fmt: skip
    except OSError:
        raise UsageError("readelf, of binutils, is needed to ask what was linked") from None
    return done.stdout.splitlines()
