"""Tools that read our reports, each in an environment of its own, made once and kept.

IRSAN_CONSUMERS=1 asks for these tests: some of the tools bring hundreds of megabytes. They lie in
IRSAN_CONSUMERS_DIR, or beside irsan's cache. What cannot be installed skips its tests and says why.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest

from irsan.cachedir import cache_base

TIMEOUT_S = 900


def consumers_folder() -> Path:
    """Where environments are kept; skips the test unless consumers are asked for."""
    if not os.environ.get("IRSAN_CONSUMERS"):
        pytest.skip("IRSAN_CONSUMERS=1 runs the real consumers of reports (hundreds of megabytes)")
    base = os.environ.get("IRSAN_CONSUMERS_DIR")
    folder = Path(base) if base else (cache_base(os.environ) or Path.home()) / "consumers"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def python_environment(*packages: str) -> Path:
    """The python of a virtual environment that has these packages."""
    folder = consumers_folder() / f"py-{packages[0].partition('==')[0]}"
    python = folder / "bin" / "python"
    if not (folder / "complete").exists():
        _install([sys.executable, "-m", "venv", str(folder)])
        _install([str(python), "-m", "pip", "install", "-q", *packages])
        (folder / "complete").touch()
    return python


def npm_environment(*packages: str) -> Path:
    """The folder node_modules that has these packages."""
    folder = consumers_folder() / f"npm-{packages[0].strip('@').replace('/', '-')}"
    if not (folder / "complete").exists():
        _install(["npm", "install", "--silent", "--prefix", str(folder), *packages])
        (folder / "complete").touch()
    return folder / "node_modules"


def file_of_source_package(package: str, ending: str) -> Path:
    """A file out of a source distribution, by the end of its name."""
    folder = consumers_folder() / f"source-{package.partition('==')[0]}"
    target = folder / Path(ending).name
    if not target.exists():
        _install([
            sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:",
            "-d", str(folder), package,
        ])  # fmt: skip
        with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
            name = next(name for name in archive.getnames() if name.endswith(ending))
            member = archive.extractfile(name)
            assert member is not None
            target.write_bytes(member.read())
    return target


def output_of(*words: str | Path, text: str = "", status: int = 0) -> str:
    """What a command prints; fails the test when it ends with another status."""
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME")}
    done = subprocess.run(
        [str(word) for word in words], input=text, capture_output=True, text=True,
        env=environment, timeout=TIMEOUT_S, check=False,
    )  # fmt: skip
    assert done.returncode == status, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def json_of_python(python: Path, program: str, value: Any, *words: str | Path) -> Any:
    """What a program writes as JSON, given a value as JSON."""
    return json.loads(output_of(python, "-c", program, *words, text=json.dumps(value)))


def _install(words: list[str]) -> None:
    try:
        done = subprocess.run(
            words, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        pytest.skip(f"{words[0]}: {error}")
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        pytest.skip(f"{' '.join(words[-1:])} cannot be installed: {' '.join(last)}")
