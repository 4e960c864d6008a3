// Handlers that only do what they may; the heap is for the program, also after a jump out of one.
// STDOUT: noted
// STDOUT: left by a jump, with 7 bytes
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static atomic_int handled;
static sigjmp_buf before;

static void on_signal(int number) {
    char text[32];
    int length = snprintf(text, sizeof text, "%s\n", number == SIGUSR1 ? "noted" : "?");
    if (write(1, text, (size_t)length) == length) handled = 1;
}

static void on_fault(int number) { siglongjmp(before, number); }

static void *work(void *unused) {
    while (!handled) {
        char *volatile block = malloc(32);
        free(block);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    signal(SIGUSR1, on_signal);
    signal(SIGUSR2, on_fault);
    pthread_create(&thread, NULL, work, NULL);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
    if (sigsetjmp(before, 1) == 0) {
        raise(SIGUSR2);
    }
    char *block = malloc(8);
    strcpy(block, "7 bytes");
    printf("left by a jump, with %s\n", block);
    free(block);
    return 0;
}
