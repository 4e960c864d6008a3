"""Marks of kernels' lines: where they stand, and that a compiled kernel leaves them."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.meta.house import ROOT
from tests.support import kernel_lines
from tests.support.kernel_lines import Marks, kernel_files, kernels_of, lines_of, statements_of

TEXT = '''
def plain(x):
    return x

@kernel
def first(x):
    """What it does."""
    if x:
        return 1
    elif x > 2:
        return 2
    for i in range(x):
        x += i
    return x

@kernel("u64(u64)", inlined=True)
def second(x):
    return x

def factory():
    @kernel
    def inner(x):
        return x
    return inner
'''


def test_kernels_are_the_decorated_functions_at_the_top() -> None:
    assert [one.name for one in kernels_of(ast.parse(TEXT))] == ["first", "second"]


def test_every_statement_but_the_docstring_is_counted() -> None:
    first, _ = kernels_of(ast.parse(TEXT))
    lines = sorted({one.lineno for one in statements_of(first)})
    assert lines == [8, 9, 10, 11, 12, 13, 14]


def test_lines_of_real_kernels_lie_in_their_files() -> None:
    for path in kernel_files():
        inside, begins = lines_of(path)
        assert begins <= inside
        assert max(inside, default=0) < kernel_lines.LINES_PER_FILE
    assert sum(len(lines_of(path)[1]) for path in kernel_files()) > 10_000


@pytest.fixture
def marks(tmp_path: Path) -> Marks:
    return Marks(tmp_path / "marks")


def test_a_compiled_kernel_marks_what_it_runs(marks: Marks) -> None:
    from numba import types

    from irsan.runtime.kernels.kernel import symbol_to_kernel
    from irsan.runtime.kernels.language.linked_kernel import LinkedKernel
    from irsan.runtime.kernels.text import scan_formats

    plain: Any = scan_formats.directive_to_bytes
    path = Path(scan_formats.__file__).resolve()
    tree = ast.parse(path.read_text())
    (node,) = [one for one in kernels_of(tree) if one.name == plain.__name__]
    begins = sorted({one.lineno for one in statements_of(node)})

    with_marks = kernel_lines.marked(plain.py_func, marks, kernel_lines._mark_intrinsic())
    number: Any = types.uint64
    with_marks.__module__ = __name__  # so it is not kept
    made = LinkedKernel(
        with_marks, number(number), "marked", "marked", inlined=False, callee=symbol_to_kernel
    )
    assert marks.lines(path) == set()
    assert made(ord("p")) == plain(ord("p")) == 8
    assert sorted(marks.lines(path)) == begins[:4], "two assignments, an if, its return"
    assert made(ord("f")) == 4
    assert set(begins[:4]) < marks.lines(path) <= set(begins)


def test_other_functions_stay_as_they_are(marks: Marks) -> None:
    def closure() -> object:
        return marks

    assert kernel_lines.marked(closure, marks, None) is closure
    assert kernel_lines.marked(ast.parse, marks, None) is ast.parse
    assert marks.offset(str(ROOT / "tests" / "conftest.py"), 1) is None


WITH_MARKS = """
import sys
from pathlib import Path
from tests.support.kernel_lines import Marks, lines_of, mark_kernels
marks = Marks(Path(sys.argv[1]) / "marks")
mark_kernels(marks, Path(sys.argv[1]) / "code")
from irsan.runtime.kernels.text import scan_formats
path = Path(scan_formats.__file__).resolve()
print(len(marks.lines(path)), scan_formats.directive_to_bytes(ord("p")), end=" ")
print(len(marks.lines(path)), marks.lines(path) <= lines_of(path)[1])
"""


def test_every_kernel_of_a_process_has_marks(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITH_MARKS, str(tmp_path)],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "0 8 4 True\n"
