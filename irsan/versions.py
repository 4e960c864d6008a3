"""What `irsan --version` prints. Imports neither typer and numba nor, on a warm cache, llvmlite."""

from __future__ import annotations

import os
import platform
from importlib import metadata

import irsan
from irsan.cachedir import cache_base
from irsan.engine.cache import Cache


def versions_text() -> str:
    """irsan, LLVM, numba and Python, a line each."""
    from irsan.engine.compilers import llvm_version

    quiet = Cache(cache_base(os.environ), notify=lambda _: None)
    llvm = ".".join(map(str, llvm_version(quiet)))
    return (
        f"irsan {irsan.__version__}\n"
        f"LLVM {llvm} (llvmlite {metadata.version('llvmlite')})\n"
        f"numba {metadata.version('numba')}\n"
        f"python {platform.python_version()}"
    )
