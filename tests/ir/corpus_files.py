"""The round-trip corpus: hand-written IR, and sources.

Half of the sources' levels are compiled where each level counts (SOURCES_NOW; IRSAN_PART=all: all).
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.irsan_runs import in_part

FOLDER = Path(__file__).parent / "corpus"
ASSEMBLY = sorted(path.name for path in FOLDER.glob("*.ll"))
LEVELS = {"debug": ("-O0", "-g"), "plain": ("-O1", "-g0"), "fast": ("-O2", "-g")}
SOURCES = [
    (path.name, level)
    for path in sorted([*FOLDER.glob("*.c"), *FOLDER.glob("*.cpp")])
    for level in LEVELS
]
SOURCES_NOW = in_part(SOURCES, 2)
_ZIG_FLAGS = ("-fno-sanitize=all", "-fno-stack-protector", "-mcpu=baseline")


def compile_source(name: str, level: str, folder: Path) -> Path:
    """The bitcode of one corpus source; skips the test when no pip-installed compiler is there."""
    if importlib.util.find_spec("ziglang") is None:
        pytest.skip("ziglang is not installed: pip install 'irsan[cc]'")
    made = folder / f"{name}.{level}.bc"
    mode = "c++" if name.endswith(".cpp") else "cc"
    command = [sys.executable, "-m", "ziglang", mode, *LEVELS[level], *_ZIG_FLAGS]
    command += ["-emit-llvm", "-c", str(FOLDER / name), "-o", str(made)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return made


def read_corpus(name: str) -> bytes:
    """The text of a hand-written file."""
    return (FOLDER / name).read_bytes()
