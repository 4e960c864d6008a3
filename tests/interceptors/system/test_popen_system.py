"""popen, pclose and system: answers and reads; what time does meanwhile: test_clock_starts.py."""

from __future__ import annotations

import pytest

from tests.support.text_runs import TextRuns

ANSWERS = """
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
int main(void) {
    char line[20] = "";
    FILE *stream = popen("echo said; exit 3", "r");
    if (!stream || !fgets(line, sizeof line, stream)) return 1;
    printf("%s%d ", line, WEXITSTATUS(pclose(stream)));
    stream = popen("true", "r");
    int status;
    while (wait(&status) < 0 && errno == EINTR) {}
    printf("%d %d ", pclose(stream), errno == ECHILD);
    printf("%d %d", WEXITSTATUS(system("exit 4")), system(NULL) != 0);
    return 0;
}
"""
#: A shell in the background sends a signal that the program waits for with a sleep.
JOB = """
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static volatile sig_atomic_t n_signals;
static void count(int number) { n_signals++; }
int main(void) {
    char command[100];
    signal(SIGUSR1, count);
    sprintf(command, "(sleep 0.3 && kill -USR1 %d) >/dev/null 2>&1 &", (int)getpid());
    int status = system(command);
    sleep(2);
    printf("%d %d", status, (int)n_signals);
    return 0;
}
"""
FREED = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    char *command = strdup("true");
    free(command);
    return argc > 1 ? system(command) : popen(command, "r") != 0;
}
"""


def test_answers_are_the_hosts(text_runs: TextRuns) -> None:
    result = text_runs(ANSWERS)
    assert result.stdout == b"said\n3 -1 1 4 1", result.stderr
    assert result.exit_status == 0


@pytest.mark.parametrize(("word", "name"), [("", "popen"), ("system", "system")])
def test_a_freed_command_is_found(text_runs: TextRuns, word: str, name: str) -> None:
    result = text_runs(FREED, *filter(None, [word]))
    assert result.report is not None
    (finding, *_) = result.report["findings"]
    assert finding["kind"] == "heap-use-after-free"
    assert finding["stacks"][0]["frames"][0]["function"] == name


def test_real_time_is_a_bound_while_a_job_is_in_the_background(text_runs: TextRuns) -> None:
    result = text_runs(JOB)
    assert result.stdout == b"0 1", result.stderr
