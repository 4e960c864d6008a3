"""pthread_exit unwinds: C++ handlers see it pass, and one that keeps it ends the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from irsan.engine.native_libraries.library_search import find_library
from tests.support.irsan_runs import bundled_compiler
from tests.support.jit import run_snippet

PROGRAM = """
#include <cstdio>
#include <pthread.h>
struct Noisy { ~Noisy() { std::puts("gone"); } };
static void *leaves(void *) {
  Noisy noisy;
  try { pthread_exit(nullptr); }
  catch (...) { std::puts("seen"); std::fflush(stdout); %s }
  return nullptr;
}
int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, leaves, nullptr);
  pthread_join(thread, nullptr);
}
"""
RUNNER = """
import sys
from irsan.__main__ import main
sys.exit(main(["run", "--cc", sys.argv[1], sys.argv[2]]))
"""


@pytest.mark.skipif(find_library("libstdc++.so.6") is None, reason="needs libstdc++")
@pytest.mark.parametrize(
    ("handler", "stdout", "stderr", "status"),
    [
        ("throw;", "seen\ngone\n", "", 0),
        ("", "seen\n", "FATAL: exception not rethrown\n", 66),
    ],
)
def test_a_handler_for_everything(
    tmp_path: Path, handler: str, stdout: str, stderr: str, status: int
) -> None:
    (tmp_path / "leaves.cpp").write_text(PROGRAM % handler)
    answer = run_snippet(RUNNER, bundled_compiler(), str(tmp_path / "leaves.cpp"))
    assert (answer.stdout, answer.returncode) == (stdout, status)
    assert answer.stderr.startswith(stderr) and ("ABRT" in answer.stderr) == bool(stderr)
