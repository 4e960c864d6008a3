// siginterrupt ends reads, behind later calls of signal, too; a program has no alternate stack.
// STDOUT: -1 100
// STDOUT: -1 200
// STDOUT: 1 1 1
// SEEDS: few it waits for real time
#include <assert.h>
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t hits;

static void on_alarm(int number)
{
    hits += 100 + 0 * number;
}

static void read_nothing(int descriptor)
{
    char byte;
    alarm(1);
    ssize_t n = read(descriptor, &byte, 1);
    assert(errno == EINTR);
    printf("%zd %d\n", n, (int)hits);
}

int main(void)
{
    int ends[2];
    assert(pipe(ends) == 0);
    signal(SIGALRM, on_alarm);
    siginterrupt(SIGALRM, 1);
    read_nothing(ends[0]);
    signal(SIGALRM, on_alarm);
    read_nothing(ends[0]);

    char room[65536];
    stack_t own = {.ss_sp = room, .ss_size = sizeof room}, old, now;
    assert(sigaltstack(&own, &old) == 0 && sigaltstack(NULL, &now) == 0);
    int is_own = now.ss_sp == room && !(now.ss_flags & SS_DISABLE);
    own.ss_flags = SS_DISABLE;
    assert(sigaltstack(&own, NULL) == 0 && sigaltstack(NULL, &now) == 0);
    int was_off = (old.ss_flags & SS_DISABLE) != 0, is_off = (now.ss_flags & SS_DISABLE) != 0;
    printf("%d %d %d\n", was_off, is_own, is_off);
    assert(system(NULL) != 0 && strcmp(setlocale(LC_ALL, NULL), "C") == 0);
    return 0;
}
