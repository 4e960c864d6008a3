"""What a program does to its surroundings, and what irsan still does there."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from irsan.reports.renderers import renderer_names
from tests.support.irsan_runs import TOOL_EXIT_STATUS, bundled_compiler

CLOSED = """
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
    char *volatile lost = malloc(10);
    lost = NULL;
    if (argc > 1) fclose(stderr);
    else dup2(1, 2);
    return 0;
}
"""
NAMED = """
#include <assert.h>
#include <err.h>
#include <errno.h>
int main(int argc, char **argv) {
    errno = ENOENT;
    warn("warned");
    assert(argc == 0);
}
"""
AGAIN = """
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>
int main(int argc, char **argv) {
    struct rlimit limit = {100, 100};
    if (argc > 1) {
        getrlimit(RLIMIT_NOFILE, &limit);
        printf("again, limit %d\\n", (int)limit.rlim_max);
        return 0;
    }
    setrlimit(RLIMIT_NOFILE, &limit);
    execl("/proc/self/exe", argv[0], "again", (char *)NULL);
    return 1;
}
"""
DAEMON = """
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
    if (fork()) _exit(0);
    setsid();
    chdir("/");
    for (int i = 0; i < 100; i++) close(i);
    dup(dup(open("/dev/null", O_RDWR)));
    char *block = malloc(4);
    free(block);
    return *block;
}
"""


LEFT = """
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static int shared;
static void *work(void *argument) { shared++; return argument; }
int main(int argc, char **argv) {
    pthread_t thread;
    char *volatile block = malloc(8);
    if (chroot(argv[1]) || chdir("/")) return 1;
    pthread_create(&thread, NULL, work, NULL);
    shared++;
    pthread_join(thread, NULL);
    block[8] = 1;
    return 0;
}
"""


def _run(folder: Path, text: str, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    (folder / "prog.c").write_text(text)
    return subprocess.run(
        [sys.executable, "-m", "irsan", "run", "prog.c", *words],
        env={**os.environ, "IRSAN_CC": bundled_compiler(), **more},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@pytest.mark.parametrize("words", [(), ("close",)])
def test_reports_do_not_follow_standard_error(tmp_path: Path, words: tuple[str, ...]) -> None:
    found = _run(tmp_path, CLOSED, *words)
    assert "10 byte(s) leaked" in found.stderr
    assert found.stdout == ""


def test_messages_of_the_c_library_bear_the_name_of_the_program(tmp_path: Path) -> None:
    found = _run(tmp_path, NAMED)
    assert "prog.c: warned: No such file or directory" in found.stderr
    assert "prog.c: prog.c:8: int main(int, char **): Assertion" in found.stderr
    assert "python" not in found.stderr


def test_a_program_starts_itself_by_the_link_to_it(tmp_path: Path) -> None:
    assert _run(tmp_path, AGAIN).stdout == "again, limit 100\n"


def test_a_daemon_reports_to_a_file_of_its_own(tmp_path: Path) -> None:
    found = _run(tmp_path, DAEMON, ASAN_OPTIONS=f"log_path={tmp_path}/log")
    assert found.returncode == 0
    until = time.monotonic() + 60
    while not (logs := list(tmp_path.glob("log.*"))) and time.monotonic() < until:
        time.sleep(0.1)
    time.sleep(0.5)
    assert "heap-use-after-free" in logs[0].read_text()


def test_a_preloaded_library_is_refused_by_name(tmp_path: Path) -> None:
    for libraries in ("libm.so.6", "libc_malloc_debug.so.0:libm.so.6"):
        found = _run(tmp_path, CLOSED, LD_PRELOAD=libraries)
        assert found.returncode == 69
        assert f"LD_PRELOAD={libraries.replace(':', ' ')}: " in found.stderr


def test_the_c_library_s_own_checks_of_malloc_may_be_preloaded(tmp_path: Path) -> None:
    found = _run(tmp_path, NAMED, LD_PRELOAD="libc_malloc_debug.so.0", MALLOC_CHECK_="3")
    assert "prog.c: warned: No such file or directory" in found.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="chroot is for root")
def test_reports_of_a_program_that_has_left_the_root(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    formats = [name for name in renderer_names() if name != "text"]
    words = [word for name in formats for word in ("--report-format", name, "--report-path", name)]
    (tmp_path / "prog.c").write_text(LEFT)
    found = subprocess.run(
        [sys.executable, "-m", "irsan", "run", *words, "prog.c", tmp_path / "empty"],
        env={**os.environ, "IRSAN_CC": bundled_compiler()},
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert "heap-buffer-overflow" in found.stderr and "data race" in found.stderr
    assert "irsan: error" not in found.stderr
    assert found.returncode == TOOL_EXIT_STATUS
    for name in formats:
        assert "prog.c" in (tmp_path / name).read_text(), name
