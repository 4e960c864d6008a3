"""Portable output with clang's own run-time: built here, run natively, judged by its report."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from irsan.engine.commands.instrument_command import instrument_to_file
from irsan.engine.options import FrontendOptions

CLANG = shutil.which("clang-19")
BUNDLED = f"{sys.executable} -m ziglang cc"
RACE_TRIES = 4  # natively, whether threads meet is chance


def build(
    source: Path,
    sanitizer: str,
    folder: Path,
    *,
    compiler: str = "",
    linker: Sequence[str] = (),
    level: int = 1,
) -> Path:
    """What a user does: `irsan instrument --portable -o r.ll`, then `clang r.ll -fsanitize=...`.

    compiler: makes the plain IR, clang by default; linker: makes the executable, clang by default;
    level: 0 to 3, what the plain IR is optimised at.
    """
    assert CLANG is not None or (compiler and linker)
    checked, executable = folder / "r.ll", folder / f"{source.stem}-{sanitizer}"
    is_cpp = source.suffix == ".cpp"
    options = FrontendOptions(
        cc=compiler or CLANG,
        std="c++17" if is_cpp else "c11",
        defines=("_GNU_SOURCE",),
        opt_level=level,
    )
    instrument_to_file(source, checked, options, frozenset([sanitizer]), portable=True)
    command = [*(linker or [str(CLANG)]), str(checked), "-g", f"-fsanitize={sanitizer}"]
    command += ["-o", str(executable), *(["-lstdc++"] if is_cpp else [])]
    subprocess.run(command, check=True, capture_output=True, timeout=900)
    return executable


def run(executable: Path) -> tuple[int, str]:
    """(exit status, stderr); address-space randomisation is off, as ThreadSanitizer wants it."""
    fixed = ["setarch", "-R"] if shutil.which("setarch") else []
    done = subprocess.run(
        [*fixed, str(executable)], capture_output=True, text=True, timeout=60, check=False
    )
    return done.returncode, done.stderr


def run_until(executable: Path, sanitizer: str, word: str) -> tuple[int, str]:
    """As `run`; for races the first run of some whose report has `word`, or the last one."""
    status, report = run(executable)
    for _ in range(RACE_TRIES - 1 if sanitizer == "thread" else 0):
        if word in report:
            break
        status, report = run(executable)
    return status, report
