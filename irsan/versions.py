"""What `irsan --version` prints. Imports neither typer and numba nor, on a warm cache, llvmlite."""

from __future__ import annotations

import platform

import irsan
from irsan.installed import installed_version


def versions_text() -> str:
    """irsan, LLVM, numba and Python, a line each."""
    from irsan.engine.front_end.compilers import llvm_in_words

    return (
        f"irsan {irsan.__version__}\n"
        f"LLVM {llvm_in_words()} (llvmlite {installed_version('llvmlite')})\n"
        f"numba {installed_version('numba')}\n"
        f"python {platform.python_version()}"
    )
