// Each thread has an alternate stack of its own, also while another sleeps in a handler on its.
// STDOUT: none at first 1, asked for 1, refused -1
// STDOUT: both on their own 1 1
// STDOUT: none again 1
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { BYTES = 1 << 16 };

static _Thread_local char *own;
static _Thread_local volatile int is_apart;

static void on_signal(int number) {
    volatile char kept[512];
    char *here = __builtin_frame_address(0);
    kept[0] = (char)number;
    is_apart = here > own && here < own + BYTES;
    usleep(2000);
    is_apart = is_apart && kept[0] == (char)number;
}

static void *work(void *unused) {
    own = malloc(BYTES);
    stack_t stack = {.ss_sp = own, .ss_size = BYTES}, before;
    sigaltstack(&stack, &before);
    raise(SIGUSR1);
    raise(SIGUSR2);
    long good = is_apart && (before.ss_flags & SS_DISABLE) != 0;
    stack.ss_flags = SS_DISABLE;
    sigaltstack(&stack, NULL);
    free(own);
    return (void *)good;
}

int main(void) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGUSR2, &action, NULL);
    own = malloc(BYTES);
    stack_t stack = {.ss_sp = own, .ss_size = BYTES}, seen, small = {.ss_sp = own, .ss_size = 1};
    sigaltstack(NULL, &seen);
    int none = (seen.ss_flags & SS_DISABLE) != 0;
    sigaltstack(&stack, NULL);
    sigaltstack(NULL, &seen);
    int asked = seen.ss_sp == own && seen.ss_size == BYTES && seen.ss_flags == 0;
    printf("none at first %d, asked for %d, refused %d\n", none, asked, sigaltstack(&small, NULL));
    pthread_t threads[2];
    void *good[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
    raise(SIGUSR1);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], &good[i]);
    printf("both on their own %d %d\n", is_apart, good[0] && good[1]);
    stack.ss_flags = SS_DISABLE;
    sigaltstack(&stack, NULL);
    sigaltstack(NULL, &seen);
    printf("none again %d\n", (seen.ss_flags & SS_DISABLE) != 0);
    free(own);
    return 0;
}
