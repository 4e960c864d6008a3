"""Which lines of compiled kernels have run: a plain Python twin would not be the same code.

numba gives small numbers 64 bits where numpy keeps their 8 or 16, so `record >> 48 | kind << 4` is
another number in plain Python; and kernels read memory by LLVM instructions.  So a kernel is
compiled as it is, with a store in front of each statement:

    a += 1      ->      __irsan_mark(base + 512 * number of the file + line)
                        a += 1

Marks are bytes of one file that all processes of a run map.  Such kernels are not kept anywhere.
Kernels that a function makes (closures) are compiled without marks and are not counted.
"""

from __future__ import annotations

import ast
import ctypes
import inspect
import mmap
import textwrap
import types
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.meta.house import ROOT, source_files

LINES_PER_FILE = 512  # a file has no more than 400
MARK = "__irsan_mark"
_FOLDERS = ("runtime/kernels", "interceptors", "traces/kernels")


def kernel_files() -> list[Path]:
    """Files that may define kernels, in the order that numbers them."""
    return [path for path in source_files() if str(path.relative_to(ROOT)).startswith(_FOLDERS)]


def kernels_of(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """The functions at the top of a module that are decorated as kernels."""
    return (node for node in _decorated(tree) if node in tree.body)


def _decorated(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """Every function that is decorated as a kernel, those that a function makes included."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and any(map(_names_kernel, node.decorator_list)):
            yield node


def _names_kernel(decorator: ast.expr) -> bool:
    named = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(named, ast.Name) and named.id == "kernel"


def statements_of(function: ast.FunctionDef) -> Iterator[ast.stmt]:
    """Every statement in a function but its docstring."""
    for node in ast.walk(function):
        if isinstance(node, ast.stmt) and node is not function and not _is_docstring(node):
            yield node


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def lines_of(path: Path) -> tuple[set[int], set[int]]:
    """Lines of a file that lie in kernels; those where a statement begins that can be marked."""
    inside: set[int] = set()
    begins: set[int] = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for function in _decorated(tree):
        inside |= set(range(function.body[0].lineno, (function.end_lineno or 0) + 1))
    for function in kernels_of(tree):
        begins |= {node.lineno for node in statements_of(function)}
    return inside, begins


class Marks:
    """The bytes of a file, mapped: one for each line of each kernel file."""

    def __init__(self, path: Path) -> None:
        self._numbers = {str(path): number for number, path in enumerate(kernel_files())}
        with path.open("a+b") as file:
            file.truncate(len(self._numbers) * LINES_PER_FILE)
            self._bytes = mmap.mmap(file.fileno(), 0)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self._bytes))

    def offset(self, path: str, line: int) -> int | None:
        """Where the byte of a line lies; None for a file that has no kernels of ours."""
        number = self._numbers.get(path)
        return None if number is None else number * LINES_PER_FILE + line

    def lines(self, path: Path) -> set[int]:
        """The lines of a file that have run."""
        start = self.offset(str(path), 0)
        assert start is not None
        part = self._bytes[start : start + LINES_PER_FILE]
        return {line for line, byte in enumerate(part) if byte}


class _Marking(ast.NodeTransformer):
    """Puts a mark in front of every statement of the bodies it sees."""

    def __init__(self, address: int) -> None:
        self._address = address  # of the file's line 0

    def visit(self, node: ast.AST) -> Any:
        self.generic_visit(node)
        for field in ("body", "orelse"):
            body = getattr(node, field, None)
            if isinstance(body, list):
                setattr(node, field, [one for stmt in body for one in self._marked(stmt)])
        return node

    def _marked(self, statement: ast.stmt) -> list[ast.stmt]:
        if _is_docstring(statement):
            return [statement]
        call = ast.Call(ast.Name(MARK, ast.Load()), [], [])
        call.args = [ast.Constant(self._address + statement.lineno)]
        mark = ast.copy_location(ast.Expr(call), statement)
        return [ast.fix_missing_locations(mark), statement]


def marked(function: Callable[..., Any], marks: Marks, mark: Any) -> Callable[..., Any]:
    """The function with a mark in front of each statement; itself where that cannot be."""
    path = str(Path(inspect.getfile(function)).resolve())
    start = marks.offset(path, 0)
    if start is None or function.__closure__:
        return function
    lines, first = inspect.getsourcelines(function)
    tree = ast.parse(textwrap.dedent("".join(lines)))
    ast.increment_lineno(tree, first - 1)
    [node] = tree.body
    assert isinstance(node, ast.FunctionDef)
    node.decorator_list, node.returns = [], None
    for argument in node.args.args:
        argument.annotation = None
    node.body = _Marking(marks.address + start).visit(ast.Module(node.body, [])).body
    made: dict[str, Any] = {}
    exec(compile(tree, path, "exec"), made)
    code = made[node.name].__code__
    function.__globals__[MARK] = mark
    copy = types.FunctionType(code, function.__globals__, function.__name__, function.__defaults__)
    copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
    return copy


def mark_kernels(marks: Marks, objects: Path) -> None:
    """From now on compile kernels with marks, and keep none of them in the cache.

    objects: a folder for their machine code, which is of no use to another process.
    """
    from irsan.runtime.kernels.language import compiling, kernel_code, linked_kernel
    from irsan.traces.kernels import kernel as traces_kernel

    mark = _mark_intrinsic()
    numbas, text = compiling.compile_kernel, linked_kernel.kernel_text

    def compile_marked(function: Callable[..., Any], *rest: Any) -> Any:
        return numbas(marked(function, marks, mark), *rest)

    def marked_text(function: Callable[..., Any], *rest: Any) -> str:
        return text(marked(function, marks, mark), *rest)

    compiling._full_disks.append(OSError("kernels with marks are not kept"))
    traces_kernel.compile_kernel = compile_marked  # type: ignore[assignment]
    linked_kernel.kernel_text = marked_text
    linked_kernel.LinkedKernel._paths = lambda _kernel: []  # type: ignore[method-assign]
    kernel_code.cache_root = lambda: objects


def _mark_intrinsic() -> Any:
    """A function for kernels that stores 1 in the byte at an address."""
    from llvmlite import ir
    from numba import types as numba_types
    from numba.extending import intrinsic

    def typer(_typing_context: Any, _address: Any) -> Any:
        def codegen(context: Any, builder: Any, _signature: Any, values: Sequence[Any]) -> Any:
            place = builder.inttoptr(values[0], ir.IntType(8).as_pointer())
            builder.store(ir.Constant(ir.IntType(8), 1), place)
            return context.get_dummy_value()

        return numba_types.void(numba_types.int64), codegen

    return intrinsic(typer)
