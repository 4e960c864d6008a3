"""Programs written as users write them, without a look at irsan: as natively, and no finding.

`tests/unseen` has 60 programs of the C++ library and 60 of the system's interfaces. One in 24 is
run here, at the default level and checks; IRSAN_PART=all runs all of them at -O0 and -O1, at
two seeds, under the default checks and under each sanitizer alone.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from irsan.engine.commands.batch import BatchRunner
from irsan.engine.options import DEFAULT_SANITIZERS
from tests.support.irsan_runs import is_in_part

ROOT = Path(__file__).parent / "unseen"
PROGRAMS = sorted(ROOT.glob("*/*.c*"))
N_EACH = 60
_PARTS = 24
_ALONE = ("address", "thread", "leak", "undefined", "memory", "provenance", "gwp-asan")
_STANDARDS = {".c": "gnu11", ".cpp": "c++20"}
_FLAGS = ("-D_GNU_SOURCE", "-w")
_NATIVE_TIMEOUT_S = 60


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to run a program."""

    opt_level: int = 1
    seed: int = 0
    sanitize: frozenset[str] = DEFAULT_SANITIZERS

    @property
    def name(self) -> str:
        checks = "default" if self.sanitize == DEFAULT_SANITIZERS else "-".join(self.sanitize)
        return f"O{self.opt_level}-{checks}-{self.seed}"


def _variants() -> list[Variant]:
    if os.environ.get("IRSAN_PART") != "all":
        return [Variant()]
    checks = [DEFAULT_SANITIZERS, *(frozenset({name}) for name in _ALONE)]
    return [Variant(level, seed, one) for level in (0, 1) for one in checks for seed in (0, 1)]


def _params() -> Iterator[object]:
    for number, program in enumerate(PROGRAMS):
        if is_in_part(number, _PARTS):
            for variant in _variants():
                yield pytest.param(program, variant, id=f"{program.stem}-{variant.name}")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Path]:
    """Native programs by source, filled as they are asked for; the empty path is their folder."""
    return {Path(): tmp_path_factory.mktemp("native")}


@pytest.mark.parametrize(("program", "variant"), list(_params()))
def test_as_natively_without_a_finding(
    runner: BatchRunner, built: dict[Path, Path], program: Path, variant: Variant
) -> None:
    native = _run_natively(program, built)
    (result,) = runner.run(
        [program],
        [variant.seed],
        std=_STANDARDS[program.suffix],
        cflags=_FLAGS,
        opt_level=variant.opt_level,
        sanitize=variant.sanitize,
    )
    assert not result.is_timeout
    assert [finding["kind"] for finding in result.findings] == []
    assert result.stdout == native.stdout
    assert result.exit_status == native.returncode


def test_the_corpus_is_whole() -> None:
    found = [len(list(ROOT.glob(pattern))) for pattern in ("cpp/*.cpp", "system/*.c")]
    assert found == [N_EACH] * 2


def _run_natively(program: Path, built: dict[Path, Path]) -> subprocess.CompletedProcess[bytes]:
    if program not in built:
        built[program] = _build_natively(program, built[Path()])
    return subprocess.run(
        [built[program]],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=_NATIVE_TIMEOUT_S,
        check=False,
    )


def _build_natively(program: Path, folder: Path) -> Path:
    target = folder / program.stem
    standard = f"-std={_STANDARDS[program.suffix]}"
    words = [*_native_compiler(program), standard, *_FLAGS, "-O1", "-pthread"]
    subprocess.run([*words, program, "-o", target, "-lm"], check=True)
    return target


def _native_compiler(program: Path) -> list[str]:
    """GCC, or the bundled compiler, which checks undefined behaviour unless told not to."""
    is_cxx = program.suffix == ".cpp"
    found = shutil.which("g++" if is_cxx else "gcc")
    if found is not None:
        return [found]
    front_end = "c++" if is_cxx else "cc"
    return [sys.executable, "-m", "ziglang", front_end, "-fno-sanitize=undefined"]
