"""Round robin in whole programs: one schedule, whatever the seed, and a token that repeats it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from irsan.engine.replay import parse_replay_token

SOURCE = """
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static void *write_name(void *name) {
  for (int i = 0; i < 4; i++) {
    putchar(*(char *)name);
    for (volatile int spin = 0; spin < 3000; spin++) { }
  }
  return 0;
}
int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, write_name, &"abc"[i]);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  putchar('\\n');
  char *volatile kept = malloc(8);
  free(kept);
  return kept[0];
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("robin") / "turns.c"
    path.write_text(SOURCE)
    return path


def run(program: Path, *words: str) -> tuple[str, str]:
    """What the program wrote, and the token of the report of its use after free."""
    done = subprocess.run(
        [sys.executable, "-m", "irsan", *words, str(program)],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 66, done.stderr
    line = next(each for each in done.stderr.splitlines() if each.startswith("replay:"))
    return done.stdout, line.split()[3]


@pytest.mark.parametrize("engine", ["jit", "interp"])
def test_every_seed_has_one_schedule(program: Path, engine: str) -> None:
    words = ("run", "--engine", engine, "--scheduler", "round_robin", "--seed")
    written = {run(program, *words, seed)[0] for seed in ("0", "1", "77")}
    assert len(written) == 1
    [letters] = written
    assert sorted(letters.strip()) == sorted("abc" * 4)
    assert len({run(program, "run", "--seed", seed)[0] for seed in ("0", "1", "2", "3", "4")}) > 1


def test_its_token_repeats_it(program: Path) -> None:
    letters, token = run(program, "run", "--scheduler", "round_robin", "--seed", "5")
    assert parse_replay_token(token).scheduler == "round_robin"
    assert run(program, "replay", token) == (letters, token)
