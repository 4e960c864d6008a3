"""Programs that run themselves again through their argv[0]."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from irsan.engine.options import RunOptions
from irsan.engine.run.self_launch import launcher, starts_programs
from tests.support.irsan_runs import bundled_compiler

AGAIN = """
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
int main(int argc, char **argv) {
    char *words[] = {argv[0], "one", "two words", 0};
    if (argc == 3) {
        printf("%s,%s\\n", argv[1], argv[2]);
        fflush(stdout);
        volatile char *p = malloc(4);
        free((void *)p);
        return p[1];
    }
    if (argc == 2) {
        chdir("/");
        execv(argv[0], words);
        return 3;
    }
    pid_t child;
    int status;
    if (posix_spawn(&child, argv[0], 0, 0, words, environ)) return 2;
    waitpid(child, &status, 0);
    printf("%d\\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("words", "printed", "status"),
    [((), "one,two words\n42\n", 0), (("x",), "one,two words\n", 42)],
)
def test_a_program_runs_itself_under_irsan(
    tmp_path: Path, words: tuple[str, ...], printed: str, status: int
) -> None:
    (tmp_path / "again.c").write_text(AGAIN)
    found = subprocess.run(
        [sys.executable, "-m", "irsan", "run", "--sanitize", "address", "again.c", *words],
        env={
            **os.environ,
            "IRSAN_CC": bundled_compiler(),
            "ASAN_OPTIONS": "exitcode=42",
            "PYTHONPATH": os.pathsep.join(sys.path),
        },
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (found.stdout, found.returncode) == (printed, status), found.stderr
    assert found.stderr.count("ERROR: AddressSanitizer: heap-use-after-free") == 1


def test_only_what_starts_programs_has_a_launcher() -> None:
    assert starts_programs(["puts", "execvp"]) and starts_programs(["posix_spawn"])
    assert not starts_programs(["puts", "fork", "system"])


def test_a_launcher_repeats_the_options(tmp_path: Path) -> None:
    options = RunOptions(
        (Path("a b.c"),), ("not", "these"), sanitize=frozenset({"leak", "address"}), seed=7,
        opt_level=2, cflags=("-DX=1 2",), includes=("inc",),
    )  # fmt: skip
    path = launcher(options, tmp_path)
    assert path.name == "a b" and os.access(path, os.X_OK)
    text = path.read_text()
    assert text.startswith("#!/bin/sh\nexec ") and text.endswith(' -- "$@"\n')
    here = Path.cwd()
    for word in ("--sanitize address,leak", "--seed 7", "-O2", "'--cflag=-DX=1 2'",
                 f"-I{here}/inc", f"'{here}/a b.c'"):  # fmt: skip
        assert f" {word} " in text, word
    assert "these" not in text
    assert launcher(options, tmp_path) == path
    taken = tmp_path / "file"
    taken.write_text("")
    assert launcher(options, taken) == options.programs[0]
