// Joins that must fail are no mistakes when the program asks first; detect_invalid_join=0 keeps
// quiet.
// NATIVE: skip a second join is undefined for the C library
// FLAGS: ASAN_OPTIONS=detect_invalid_join=0
// STDOUT: busy 1, ended 1, joined 1
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>
static atomic_int go;

static void *work(void *unused) {
    while (!go) usleep(10);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    int busy = pthread_tryjoin_np(thread, NULL) == EBUSY;
    go = 1;
    int ended = pthread_join(thread, NULL) == 0;
    int joined = pthread_join(thread, NULL) != 0;
    printf("busy %d, ended %d, joined %d\n", busy, ended, joined);
    return 0;
}
