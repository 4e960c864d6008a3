"""Kernels name no plain number, and none of them takes an argument without a type."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.meta import house

ROOT = Path(__file__).parents[2]
CODE = (".py", ".ll")
PLAIN = re.compile(r"^[UI](8|16|32|64)_\w+$")
ROOMS = ("runtime/kernels", "interceptors", "traces/kernels", "engine/recording", "engine/interp")


def kernels(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            names = [ast.unparse(one).partition("(")[0] for one in node.decorator_list]
            if "kernel" in names:
                yield node


def files() -> list[Path]:
    return sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))


@pytest.mark.parametrize("path", files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_numbers_are_numbers_and_arguments_have_types(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert not sorted(filter(PLAIN.match, names))
    for kernel in kernels(tree):
        types = [one.annotation for one in kernel.args.args] + [kernel.returns]
        written = [ast.unparse(one) if one else "nothing" for one in types]
        assert not {"Any", "nothing"} & set(written), kernel.name


def test_there_are_kernels() -> None:
    n_kernels = sum(len(list(kernels(ast.parse(path.read_text())))) for path in files())
    assert n_kernels > 1000


def test_a_search_for_a_kernel_finds_who_calls_it() -> None:
    """Its name stands somewhere else as a whole: nothing pieces names of kernels together."""
    sources = [p for room in house.ROOMS for p in (ROOT / room).rglob("*") if p.suffix in CODE]
    words = Counter(word for p in sources for word in re.findall(r"\w+", p.read_text()))
    named = {kernel.name for path in files() for kernel in kernels(ast.parse(path.read_text()))}
    assert sorted(name for name in named if words[name] < 2) == []
