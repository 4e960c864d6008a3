"""A compiled kernel on disk: one sealed file each, in the folder that names all its sources.

numba's own files are pickles that are loaded unseen, and are out of date when the source's time of
change differs, as it does in every checkout and every restored cache.  Here the folder's name
(`kernel_cache`) says all that a kernel is made from, so what lies in it is right if it is whole.

Leans on private parts of numba: what a dispatcher asks of its cache, and how it makes a compiled
kernel to something that can be stored.  Tests of the caches would show a change.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core import compiler, serialize, sigutils

from irsan.runtime.kernels.language.kernel_cache import kernel_folder
from irsan.sealed import read_sealed, write_sealed

_CompileResult: Any = compiler.CompileResult
_dumps: Any = serialize.dumps
_normalize_signature: Any = sigutils.normalize_signature


class KernelFiles:
    """What numba's dispatcher of one function asks of a cache. OSError when the disk is full."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._folder = kernel_folder(function.__module__)

    @property
    def cache_path(self) -> str:
        """The folder of the function's module."""
        return str(self._folder)

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """The compiled function for a signature; None when there is none that is whole."""
        target_context.refresh()
        payload = read_sealed(self._path(signature, target_context.codegen()))
        if payload is None:
            return None
        return _CompileResult._rebuild(target_context, *pickle.loads(payload))

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep a compiled function, unless it knows addresses of this process."""
        if compiled.library.has_dynamic_globals:
            return
        write_sealed(self._path(signature, compiled.codegen), _dumps(compiled._reduce()))

    def enable(self) -> None:
        """Of numba's interface; it is always enabled."""

    def disable(self) -> None:
        """Of numba's interface; it is always enabled."""

    def flush(self) -> None:
        """Of numba's interface: nothing is held back."""

    def _path(self, signature: Any, codegen: Any) -> Path:
        """A factory makes several functions of one name: signature and cells distinguish them."""
        cells = tuple(cell.cell_contents for cell in self._function.__closure__ or ())
        digest = hashlib.sha256(repr((_words(signature), codegen.magic_tuple())).encode())
        digest.update(self._function.__code__.co_code + _dumps(cells))
        name = self._function.__qualname__.replace("<", "").replace(">", "")
        return self._folder / f"{name}-{digest.hexdigest()[:20]}"


def _words(signature: Any) -> str:
    """A signature by the names of its types, which are the same in every kind of process."""
    arguments, result = _normalize_signature(signature)
    names = [str(kind.name) for kind in arguments]
    return f"({', '.join(names)}{',' * (len(names) == 1)}) -> {result.name}"
