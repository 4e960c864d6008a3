// What a thread did before it installed a function for the exit happens before its call.
// STDOUT: result 42, status 7
// EXIT: 7
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int result, told;
static atomic_int installed;

static void tell(void) { told = result; }
static void print_status(int status, void *number) {
    if (*(int *)number == told) printf("result %d, status %d\n", told, status);
}

static void *work(void *unused) {
    result = 42;
    on_exit(print_status, &result);
    atexit(tell);
    atomic_store_explicit(&installed, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_detach(thread);
    while (!atomic_load_explicit(&installed, memory_order_relaxed)) usleep(10);
    exit(7);
}
