"""The house as the tests of its rules see it: rooms, files, functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROOMS = (
    "ir", "instrument", "runtime", "interceptors", "engine", "explore", "reports", "traces",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FunctionSize:
    """One function: where it is, and its lines without decorators, signature and docstring."""

    place: str
    n_lines: int


def source_files() -> list[Path]:
    """Every Python file that is shipped, once, by its real path."""
    face = [*(ROOT / "irsan").glob("*.py"), *(ROOT / "irsan" / "cli").glob("*.py")]
    rooms = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    return sorted(face + rooms)


def function_sizes(path: Path) -> Iterator[FunctionSize]:
    """The size of every function of a file, nested ones included."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            place = f"{path.relative_to(ROOT)}:{node.name}"
            yield FunctionSize(place, body_lines(node))


def body_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines from the first statement after the docstring to the last one."""
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    if not body or body[-1].end_lineno is None:
        return 0
    return body[-1].end_lineno - body[0].lineno + 1
