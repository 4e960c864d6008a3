"""Time while another process matters: timeouts are as long as the other one finds them."""

from __future__ import annotations

from pathlib import Path

import pytest

from irsan.engine.commands.batch import BatchRunner

#: The child answers 0.1 s after the parent has waited 0.8 s for it in a call of the host.
AFTER_A_WAIT = """
#include <poll.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>
static int waits(int how, int from) {
    struct timeval span = {0, 700000};
    struct pollfd one = {from, POLLIN, 0};
    struct epoll_event event = {.events = EPOLLIN};
    fd_set all;
    FD_ZERO(&all);
    FD_SET(from, &all);
    if (how == 0) return poll(&one, 1, 700);
    if (how == 1) return select(from + 1, &all, 0, 0, &span);
    int set = epoll_create1(0);
    epoll_ctl(set, EPOLL_CTL_ADD, from, &event);
    return epoll_wait(set, &event, 1, 700);
}
int main(void) {
    int ends[2];
    char byte;
    if (pipe(ends)) return 1;
    pid_t child = fork();
    if (!child) {
        for (int i = 0; i < 3; i++) {
            usleep(800000);
            if (write(ends[1], "a", 1) != 1) _exit(1);
            usleep(100000);
            if (write(ends[1], "b", 1) != 1) _exit(1);
        }
        _exit(0);
    }
    for (int how = 0; how < 3; how++) {
        if (read(ends[0], &byte, 1) != 1) return 2;
        printf("%d ", waits(how, ends[0]));
        if (read(ends[0], &byte, 1) != 1) return 3;
    }
    waitpid(child, 0, 0);
    return 0;
}
"""
SPANS = """
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}
int main(void) {
    double first = now();
    if (system("sleep 0.2")) return 1;
    double second = now();
    FILE *stream = popen("sleep 0.2; echo done", "r");
    char line[8];
    if (!fgets(line, sizeof line, stream)) return 2;
    double third = now();
    pclose(stream);
    printf("%d %d", second - first > 0.15 && second - first < 20,
           third - second > 0.15 && third - second < 20);
    return 0;
}
"""


@pytest.mark.parametrize("program", [AFTER_A_WAIT, SPANS], ids=["timeouts", "spans"])
@pytest.mark.parametrize("engine", ["jit", "interp"])
def test_what_a_call_has_waited_for_has_passed(
    runner: BatchRunner, tmp_path: Path, program: str, engine: str
) -> None:
    (tmp_path / "waits.c").write_text(program)
    (result,) = runner.run([tmp_path / "waits.c"], engine=engine)
    assert result.stdout.decode().split() in (["1", "1", "1"], ["1", "1"]), result.stderr
    assert result.exit_status == 0
