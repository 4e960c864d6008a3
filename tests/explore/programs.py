"""Small programs whose schedules end in more than one way."""

from __future__ import annotations

from pathlib import Path

from irsan.engine.options import RunOptions
from tests.support.irsan_runs import bundled_compiler

#: the reader sees 0, 41 or 42; in two of these cases the accesses of `value` race
RACE = """
#include <pthread.h>
#include <stdio.h>
static int ready, value, total;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *writer(void *argument) {
    value = 41;
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_mutex_unlock(&mutex);
    value++;
    return argument;
}
static void *reader(void *argument) {
    pthread_mutex_lock(&mutex);
    int seen = ready;
    pthread_mutex_unlock(&mutex);
    if (seen) total = value;
    return argument;
}
int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, writer, 0);
    pthread_create(&second, 0, reader, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    printf("%d\\n", total);
    return total == 42 ? 3 : 0;
}
"""
#: two locks in two orders: some schedules end in a deadlock
DEADLOCK = """
#include <pthread.h>
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static void *other(void *argument) {
    pthread_mutex_lock(&second);
    pthread_mutex_lock(&first);
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
    return argument;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    return pthread_join(thread, 0);
}
"""
#: an increment in two steps, each under the lock: no race, but a lost update
LOST_UPDATE = """
#include <assert.h>
#include <pthread.h>
static int balance;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *deposit(void *argument) {
    pthread_mutex_lock(&mutex);
    int seen = balance;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    balance = seen + 1;
    pthread_mutex_unlock(&mutex);
    return argument;
}
int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, deposit, 0);
    pthread_create(&second, 0, deposit, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(balance == 2);
    return 0;
}
"""
#: what the word on the command line says, without threads
WAYS = """
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static void use_freed(void) {
    volatile char *block = malloc(3);
    free((void *)block);
    *block = 1;
}
int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
    if (!strcmp(way, "fork")) {
        int child = fork(), status = 0;
        if (!child) {
            use_freed();
            exit(7);
        }
        waitpid(child, &status, 0);
        printf("child %d\\n", WEXITSTATUS(status));
    }
    if (!strcmp(way, "stray") && !fork()) {
        setsid();
        for (;;) {
            printf("stray\\n");
            fflush(stdout);
            usleep(100);
        }
    }
    if (!strcmp(way, "hang"))
        for (volatile int i = 0;; i++)
            ;
    if (!strcmp(way, "flood"))
        for (;;) puts("flood");
    if (!strcmp(way, "killed")) kill(getpid(), SIGKILL);
    if (!strcmp(way, "segv")) *(volatile int *)8 = 1;
    if (!strcmp(way, "leak")) {
        char *volatile lost = malloc(10);
        lost = 0;
    }
    if (!strcmp(way, "exit")) return 5;
    if (!strcmp(way, "input")) {
        char line[20] = "";
        fgets(line, sizeof line, stdin);
        printf("got %s", line);
    }
    return 0;
}
"""


def options_for(folder: Path, text: str, *arguments: str) -> RunOptions:
    """The options of a run of a program of C."""
    path = folder / "program.c"
    path.write_text(text)
    return RunOptions(
        programs=(path,), arguments=arguments, cc=bundled_compiler(), opt_level=0, reports=()
    )
