"""Random programs print the same under both engines; `IRSAN_RANDOM_PROGRAMS=500` runs more."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from irsan.engine.commands.batch import BatchRunner
from tests.support.random_ir import random_program

N_FUNCTIONS = 12
N_PROGRAMS = int(os.environ.get("IRSAN_RANDOM_PROGRAMS", "6"))


@pytest.mark.parametrize("seed", range(N_PROGRAMS))
def test_random_program(runner: BatchRunner, seed: int, tmp_path: Path) -> None:
    source = tmp_path / f"random{seed}.ll"
    source.write_text(random_program(seed, N_FUNCTIONS))
    printed = []
    for engine in ("jit", "interp"):
        (result,) = runner.run([source], [0], sanitize=frozenset({"leak"}), engine=engine)
        assert result.exit_status == 0, result.stderr
        printed.append(result.stdout)
    assert printed[0] == printed[1]
    assert len(set(printed[0].split())) > N_FUNCTIONS  # the checksums differ from call to call
