// threads.h: one of the two writers does not take the lock.
// NATIVE: skip the native tools do not intercept threads.h
#include <stdio.h>
#include <threads.h>

static mtx_t lock;
static volatile int shared;

static int worker(void *argument) {
    (void)argument;
    mtx_lock(&lock);
    shared = 1; // PREVIOUS: write 4
    mtx_unlock(&lock);
    return 0;
}

int main(void) {
    thrd_t thread;
    if (mtx_init(&lock, mtx_plain) != thrd_success) return 1;
    if (thrd_create(&thread, worker, NULL) != thrd_success) return 1;
    shared = 2; // EXPECT: data race write 4
    thrd_join(thread, NULL);
    mtx_destroy(&lock);
    printf("%d\n", shared > 0);
    return 0;
}
