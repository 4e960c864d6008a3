"""System calls made without the C library: the answers are the program's own world all the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from irsan.engine.commands.batch import BatchRunner
from irsan.interceptors.registry import REAL_ANSWERS
from irsan.interceptors.system import raw_syscalls

SYS_GETPID = 39
# Behind a sleep the host's clock and the program's are a second apart.
ASKS = r"""
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static int is_close(long long a, long long b) { return a - b < 5000 && b - a < 5000; }
static int is_same(struct timespec a, struct timespec b) {
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}
int main(int argc, char **argv) {
    struct timespec a, b;
    struct timeval v;
    struct stat s, t;
    struct statx x;
    sleep(1);
    clock_gettime(CLOCK_REALTIME, &a);
    assert(syscall(SYS_clock_gettime, CLOCK_REALTIME, &b) == 0);
    assert(a.tv_sec == b.tv_sec && is_close(a.tv_nsec, b.tv_nsec));
    assert(syscall(SYS_gettimeofday, &v, 0) == 0 && syscall(SYS_time, 0) == time(0));
    assert(v.tv_sec == a.tv_sec);
    int file = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert(fstat(file, &s) == 0 && s.st_ctim.tv_sec == a.tv_sec);
    assert(syscall(SYS_statx, file, "", AT_EMPTY_PATH, STATX_ALL, &x) == 0);
    assert(x.stx_ctime.tv_sec == s.st_ctim.tv_sec && x.stx_ctime.tv_nsec == s.st_ctim.tv_nsec);
    assert(syscall(SYS_fstat, file, &t) == 0 && is_same(s.st_ctim, t.st_ctim));
    assert(syscall(SYS_stat, argv[1], &t) == 0 && is_same(s.st_mtim, t.st_mtim));
    assert(syscall(SYS_lstat, argv[1], &t) == 0 && is_same(s.st_mtim, t.st_mtim));
    assert(syscall(SYS_newfstatat, AT_FDCWD, argv[1], &t, 0) == 0);
    assert(is_same(s.st_mtim, t.st_mtim) && s.st_ino == t.st_ino);
    assert(syscall(SYS_statx, -1, "none", 0, STATX_ALL, &x) == -1 && errno == EBADF);
    assert(syscall(SYS_getpid) == getpid());
    return 0;
}
"""


def test_other_system_calls_are_the_kernels(guest: Any) -> None:
    assert raw_syscalls.i_syscall(guest.ctx, SYS_GETPID, 0, 0, 0, 0, 0) == REAL_ANSWERS


def test_clocks_and_file_times_are_those_of_the_library(
    runner: BatchRunner, tmp_path: Path
) -> None:
    path = tmp_path / "asks.c"
    path.write_text(ASKS)
    [result] = runner.run([path], arguments=[str(tmp_path / "file")])
    assert (result.stderr, result.exit_status) == ("", 0)
