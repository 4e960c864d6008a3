"""A program cannot tell whether it has started from a snapshot, and starts right without one."""

from __future__ import annotations

import ctypes
import fcntl
import os
import re
import signal
import subprocess
import sys
import termios
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.engine.snapshot.own_cache import OwnCache, own_cache

BUG = """
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
int shared;
void *other(void *unused) { shared++; return unused; }
int main(void) {
    char *block = malloc(10);
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    shared++;
    pthread_join(thread, 0);
    puts("before");
    free(block);
    return block[1];
}
"""
OF_THE_C_LIBRARY = """
#define _GNU_SOURCE
#include <dirent.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void *tree;
static int order(const void *a, const void *b) { return strcmp(a, b); }
int main(void) {
    struct dirent **entries;
    int n = scandir("/", &entries, 0, alphasort);
    for (int i = 0; i < n; i++) free(entries[i]);
    free(entries);
    for (int round = 1; round < 4000; round *= 2) {
        char *text;
        size_t length;
        FILE *stream = open_memstream(&text, &length);
        fprintf(stream, "%*d", round, round);
        fclose(stream);
        free(text);
        char *name = malloc(16);
        sprintf(name, "%d", round);
        tsearch(name, &tree, order);
    }
    return n < 3;
}
"""
SITUATIONS = {
    "plain": "./facts a 'b c'",
    "abruptly": "./facts abruptly",
    "fork and exec": "./facts again",
    "closed streams": "./facts <&- 2>&-",
    "other descriptors": "./facts 9</dev/null 7>/dev/null",
    "ignored signals": "trap '' INT PIPE HUP TERM USR1; ./facts",
    "session, umask, priority": "umask 077; setsid -w nice -n 3 ./facts",
    "limits": "ulimit -n 50; ulimit -s 2048; ulimit -f 9999; ./facts",
    "unlimited stack": "ulimit -s unlimited; ./facts",
    "lost folder": "mkdir gone; p=$PWD/facts; cd gone; rmdir ../gone; $p",
    "names": "exec -a 'an other' ./facts $'\\xff' ä",
    "background": "./facts & wait $!",
    "time and locale": "TZ=America/New_York LANG=en_US.UTF-8 ./facts",
    "another character set": "LC_ALL=de_DE.ISO-8859-1 ./facts $'\\xe4' ä",
    "a suite's variables": "MALLOC_PERTURB_=7 GLIBC_TUNABLES=glibc.malloc.check=3 ./facts",
    "a suite's library": "LD_PRELOAD=libc_malloc_debug.so.0 MALLOC_CHECK_=3 ./facts",
    "threads of libraries": "OMP_NUM_THREADS=2 OPENBLAS_NUM_THREADS=3 ./facts",
    "nothing in the environment": "env -i IRSAN_SNAPSHOT=$IRSAN_SNAPSHOT ./facts",
    "Python's variables": "PYTHONUNBUFFERED=1 PYTHONHOME=/nowhere ./facts",
    "no memory": "ulimit -v 8000000; ./facts",
    "wrong options": "IRSAN_OPTIONS=sanitize=adress ./facts",
}
STARTS_SLOWLY = {
    "the dynamic linker's variables": {"LD_BIND_NOW": "1"},
    "switched off": {"IRSAN_SNAPSHOT": "off"},
    "switched off by its other name": {"IRSAN_HOST": "off"},
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> OwnCache:
    return own_cache(tmp_path_factory.mktemp("snapshot"))


def without(text: str, *starts: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith(starts)]


@pytest.mark.parametrize("name", SITUATIONS)
def test_both_ways_show_a_program_the_same(programs: OwnCache, name: str) -> None:
    command = SITUATIONS[name]
    fast = programs.start(command, IRSAN_SNAPSHOT="on")
    slow = programs.start(command, IRSAN_SNAPSHOT="off")
    differs = ("way:", "environment IRSAN_SNAPSHOT")
    assert (fast[0], fast[2]) == (slow[0], slow[2])
    assert without(fast[1], *differs) == without(slow[1], *differs)
    assert "way: slow" not in fast[1]
    assert "way: fast" not in slow[1]


@pytest.mark.parametrize("name", STARTS_SLOWLY)
def test_what_is_read_at_a_start_is_read(programs: OwnCache, name: str) -> None:
    status, out, _ = programs.start("./facts", **STARTS_SLOWLY[name])
    assert (status, "way: slow" in out) == (5, True)


def test_blocked_signals_stay_blocked(programs: OwnCache) -> None:
    blocked = {signal.SIGTERM, signal.SIGUSR2}
    done = subprocess.run(
        ["./facts"], cwd=programs.folder, env=programs.environment, capture_output=True, text=True,
        preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_BLOCK, blocked),
    )  # fmt: skip
    assert "way: fast" in done.stdout
    found = [line for line in done.stdout.splitlines() if line.endswith(": 0 1")]
    assert found == [f"signal {number}: 0 1" for number in sorted(blocked)]


def test_an_odd_environment(programs: OwnCache) -> None:
    """Of a name that is there twice both are shown, as is what has no name."""

    def become() -> None:
        words = (ctypes.c_char_p * 2)(b"odd", None)
        given = (ctypes.c_char_p * 5)(b"A=1", b"A=2", b"alone", b"=x", None)
        ctypes.CDLL(None).execve(os.fsencode(programs.folder / "facts"), words, given)

    done = subprocess.run(["false"], preexec_fn=become, capture_output=True, text=True)
    assert done.returncode == 5
    assert "way: fast" in done.stdout
    assert [line for line in done.stdout.splitlines() if line.startswith("environment A")]


def test_standard_input_may_be_a_folder(programs: OwnCache) -> None:
    status, out, _ = programs.start("./facts < /")
    assert (status, "way: fast" in out) == (5, True)


def test_a_terminal_and_its_interrupt(programs: OwnCache) -> None:
    master, slave = os.openpty()
    process = subprocess.Popen(
        ["./facts", "waiting"], cwd=programs.folder, env=programs.environment,
        stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY),
    )  # fmt: skip
    os.close(slave)
    shown = b""
    while b"to standard error" not in shown:
        shown += _read(master)
    assert b"descriptor 1: 0 20000 " in shown
    assert b"way: fast" in shown
    os.write(master, b"\x03")
    assert process.wait() == -signal.SIGINT
    os.close(master)


def _read(master: int) -> bytes:
    try:
        return os.read(master, 1 << 16)
    except OSError:  # the other side is closed
        return b""


def test_reports_are_the_same_bytes(programs: OwnCache) -> None:
    (programs.folder / "bug.c").write_text(BUG)
    programs.build("-g", "bug.c", "-o", "bug")
    date = {"IRSAN_OPTIONS": "clock_start=2000-01-01"}
    said = {way: programs.start("./bug", IRSAN_SNAPSHOT=way, **date) for way in ("on", "off")}
    assert "heap-use-after-free" in said["on"][2] and "data race" in said["on"][2]
    texts = [_without_pids(text) for _, _, text in said.values()]
    assert texts[0] == texts[1]
    assert said["on"][:2] == said["off"][:2]


def test_blocks_of_the_c_library_are_its_own_in_either_way(programs: OwnCache) -> None:
    """They may be freed, and what their nodes point to is no leak."""
    (programs.folder / "blocks.c").write_text(OF_THE_C_LIBRARY)
    programs.build("-g", "blocks.c", "-o", "blocks")
    for way in ("on", "off"):
        assert programs.start("./blocks", IRSAN_SNAPSHOT=way) == (0, "", "")


def _without_pids(text: str) -> str:
    return re.sub(r"(==|pid=)\d+", r"\1PID", text)


def test_many_start_at_once(programs: OwnCache) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda n: programs.start(f"./facts {n}"), range(24)))
    for number, (status, out, _) in enumerate(answers):
        assert (status, "way: fast" in out) == (5, True)
        assert f"argument {number}\n" in out


def test_a_library_path_that_only_the_loader_can_follow(programs: OwnCache) -> None:
    """A native library needs another that lies where LD_LIBRARY_PATH says."""
    folder = programs.folder
    (folder / "inner.c").write_text("int inner(void) { return 41; }")
    (folder / "outer.c").write_text("int inner(void); int outer(void) { return inner() + 1; }")
    (folder / "user.c").write_text(
        "#include <stdio.h>\nint outer(void);\nint main(void) { printf(\"%d\\n\", outer()); }"
    )
    (folder / "libs").mkdir()
    native = {"IRSAN_NATIVE": "1"}
    for words in (
        "-shared -fPIC inner.c -o libs/libinner.so",
        "-shared -fPIC outer.c -o libs/libouter.so -Llibs -linner",
    ):
        code = "import sys; from irsan.compiler_wrapper import main_c; sys.exit(main_c())"
        subprocess.run(
            [sys.executable, "-c", code, *words.split()], cwd=folder, check=True,
            env={**programs.environment, **native},
        )  # fmt: skip
    programs.build("user.c", "-o", "user", "-Llibs", "-louter", "-Wl,-rpath-link,libs")
    assert programs.start("LD_LIBRARY_PATH=$PWD/libs ./user")[:2] == (0, "42\n")


def test_a_snapshot_that_somebody_could_have_changed_is_not_used(programs: OwnCache) -> None:
    pages = programs.restorer.with_name("pages")
    pages.chmod(0o620)
    assert "way: slow" in programs.start("./facts")[1]
    pages.chmod(0o600)  # the time of that change tells
    assert "way: slow" in programs.start("./facts")[1]
    programs.build("facts.c", "-o", "facts")
    assert "way: fast" in programs.start("./facts")[1]


def test_without_a_snapshot_programs_start(programs: OwnCache) -> None:
    folder: Path = programs.restorer.parent
    for name in ("table", "pages", "restore"):
        (folder / name).rename(folder / "away")
        assert "way: slow" in programs.start("./facts")[1]
        (folder / name).write_bytes(b"")
        (folder / name).chmod(0o700)
        assert "way: slow" in programs.start("./facts")[1]
        (folder / "away").rename(folder / name)
    programs.build("facts.c", "-o", "facts")
    assert "way: fast" in programs.start("./facts")[1]
