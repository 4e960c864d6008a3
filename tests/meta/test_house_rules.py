"""The rules of the house that a machine can check: sizes, names, imports."""

from __future__ import annotations

import ast
import re
import statistics
from collections import Counter
from pathlib import Path

import pytest

from tests.meta.house import ROOMS, ROOT, function_sizes, source_files

MAX_FILE_LINES = 400
MAX_FOLDER_FILES = 26
MAX_MEDIAN_LINES = 10
MAX_P90_LINES = 40
MAX_FUNCTION_LINES = 80
# Tables written as code may be long: one line per case, nothing to understand twice.
LONG_FILES: frozenset[str] = frozenset()
DISPATCH_TABLES: frozenset[str] = frozenset()

_CODE = (".py", ".ll")
_VAGUE_NAMES = re.compile(r"(^|_)(utils?|manager|helpers?|misc|common|info|stuff)(_|$)")
# Spelled in parts, or this file would find itself.
_MACHINE_PLACES = tuple("/".join(parts) for parts in (("", "work", "main"), ("", "work", "shared")))


def test_functions_are_short() -> None:
    sizes = [size for path in source_files() for size in function_sizes(path)]
    lines = sorted(size.n_lines for size in sizes)
    assert statistics.median(lines) <= MAX_MEDIAN_LINES
    assert lines[len(lines) * 9 // 10] <= MAX_P90_LINES
    long = [
        size
        for size in sizes
        if size.n_lines > MAX_FUNCTION_LINES and size.place not in DISPATCH_TABLES
    ]
    assert long == []


def test_files_are_short() -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for path in source_files()
    }
    long = {
        name: n_lines
        for name, n_lines in lengths.items()
        if n_lines > MAX_FILE_LINES and name not in LONG_FILES
    }
    assert long == {}


def test_folders_are_small() -> None:
    """A folder is one subject; one that outgrows this has several."""
    code = [p for room in ROOMS for p in (ROOT / room).rglob("*") if p.suffix in _CODE]
    counts = Counter(p.parent.relative_to(ROOT) for p in code if p.name != "__init__.py")
    assert {folder: n for folder, n in counts.items() if n > MAX_FOLDER_FILES} == {}


def test_files_have_telling_names() -> None:
    assert [path for path in source_files() if _VAGUE_NAMES.search(path.stem)] == []


def test_every_module_says_what_it_is_for() -> None:
    bare = [
        path.relative_to(ROOT)
        for path in source_files()
        if path.read_text(encoding="utf-8").strip()
        and ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) is None
    ]
    assert bare == []


def imported_names(path: Path) -> set[str]:
    """First parts of all absolute imports of a file."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.partition(".")[0])
    return found


def test_rooms_are_imported_through_irsan_only() -> None:
    tests = list((ROOT / "tests").rglob("*.py"))
    wrong = [
        path.relative_to(ROOT)
        for path in (*source_files(), *tests)
        if imported_names(path) & set(ROOMS)
    ]
    assert wrong == []


HEAVY = {"numba", "llvmlite", "rich", "jinja2"}


@pytest.mark.parametrize("module", ["__main__", "cli/app", "arguments", "cachedir", "errors"])
def test_the_shell_imports_nothing_heavy_at_its_top(module: str) -> None:
    tree = ast.parse((ROOT / "irsan" / f"{module}.py").read_text(encoding="utf-8"))
    top = ast.Module([node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)])
    names = {
        alias.name for node in top.body if isinstance(node, ast.Import) for alias in node.names
    }
    names |= {node.module or "" for node in top.body if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in names} & HEAVY == set()


def test_no_file_names_a_place_on_somebodys_machine() -> None:
    tests = list((ROOT / "tests").rglob("*.py"))
    texts = [*source_files(), *tests, *ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    wrong = [
        path.relative_to(ROOT)
        for path in texts
        if any(place in path.read_text(encoding="utf-8") for place in _MACHINE_PLACES)
    ]
    assert wrong == []
