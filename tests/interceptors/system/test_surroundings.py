"""Calls after which irsan prepares first: what they answer, and errno, are the C library's."""

from __future__ import annotations

from pathlib import Path

from irsan.engine.commands.batch import BatchRunner

FAILING = r"""
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <unistd.h>
int main(void) {
    errno = 5;
    assert(setgid(getgid()) == 0 && errno == 5);
    assert(setns(-1, 0) == -1 && errno == EBADF);
    assert(unshare(1) == -1 && errno == EINVAL);
    errno = 5;
    assert(chroot("/none of this name") == -1);
    assert(errno == (geteuid() == 0 ? ENOENT : EPERM) || errno == ENOENT);
    return 0;
}
"""


def test_errno_of_a_failure_is_the_librarys_and_stays_else(
    runner: BatchRunner, tmp_path: Path
) -> None:
    path = tmp_path / "failing.c"
    path.write_text(FAILING)
    [result] = runner.run([path])
    assert (result.stderr, result.exit_status) == ("", 0)
