"""Where each compiled kernel is kept: a folder per module, named by all it is made from.

numba's own cache notices a changed file, but not a changed callee or constant in another one.  So a
module's folder is named by a hash of its source and of the sources of every irsan module it
imports, directly or not: an edit recompiles the kernels that depend on it and no others.  Modules
that only decide where a kernel is kept do not count.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import os
import sys
from importlib.metadata import version
from pathlib import Path

import irsan
from irsan.cachedir import cache_root
from irsan.errors import InternalError

#: Whether numba's sets have the order that they have in every build of the runtime.  A kernel that
#: another process made may differ in the order of its variables, and no build uses it.
IS_ORDERED = not sys.flags.hash_randomization

_FOLDER = Path(irsan.__file__).parent  # in a checkout links lead from there to the rooms
_PACKAGE = "irsan."
_KEEPERS = frozenset({
    "irsan.cachedir", "irsan.errors", "irsan.sealed",
    "irsan.runtime.kernels.language.kernel_cache", "irsan.runtime.kernels.language.kernel_code",
    "irsan.runtime.kernels.language.kernel_files",
})  # fmt: skip
_FORM = "sealed"  # changes when the form of the files does


def kernel_folder(module: str) -> Path:
    """The cache folder for the kernels that the module `irsan....` defines.

    InternalError where its source is not found: the name would say nothing of what it holds.
    """
    if module.startswith(_PACKAGE) and _path(module) is None:
        raise InternalError(f"the source of {module} is not found below {_FOLDER}")
    return cache_root() / "numba" / _digest(module)


def whole_mark(module: str) -> Path:
    """The file that says that all kernels of the module lie in its folder."""
    return kernel_folder(module) / ("whole" if IS_ORDERED else "whole-unordered")


@functools.cache
def _digest(module: str) -> str:
    digest = hashlib.sha256(_toolchain().encode())
    for name in sorted(import_closure(module) - _KEEPERS):
        digest.update(name.encode() + b"\0" + _source(name))
    return digest.hexdigest()[:24]


def import_closure(module: str) -> set[str]:
    """The module and every irsan module it imports at its top level, transitively."""
    found: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        waiting.extend(_imports(name))
    return found


@functools.cache
def _imports(module: str) -> tuple[str, ...]:
    names: list[str] = []
    for node in ast.parse(_source(module)).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(_PACKAGE):
            names.append(str(node.module))
            names += [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names += [alias.name for alias in node.names if alias.name.startswith(_PACKAGE)]
    return tuple(name for name in names if _path(name) is not None)


@functools.cache
def _source(module: str) -> bytes:
    path = _path(module)
    return path.read_bytes() if path is not None else b""


@functools.cache
def _path(module: str) -> Path | None:
    if not module.startswith(_PACKAGE):  # a test that defines kernels
        own = getattr(sys.modules.get(module), "__file__", None)
        return Path(own) if own else None
    place = _FOLDER.joinpath(*module.split(".")[1:])
    for path in (place.with_suffix(".py"), place / "__init__.py"):
        if path.is_file():
            return path
    return None


@functools.cache
def _toolchain() -> str:
    shift = os.environ.get("IRSAN_LAYOUT_SHIFT", "0")
    packages = (version("numba"), version("llvmlite"), version("numpy"))
    return "\0".join((sys.version, *packages, shift, _FORM))
