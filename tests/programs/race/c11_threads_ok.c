// threads.h: thrd_create, mtx_lock, cnd_wait, call_once, tss_set.
// NATIVE: skip the native tools do not intercept threads.h
// STDOUT: once 1, sum 30, results 1 2
#include <stdio.h>
#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static int initialised, finished, sum;

static void initialise(void) { initialised += 1; }

static int worker(void *argument) {
    int number = *(int *)argument;
    call_once(&once, initialise);
    mtx_lock(&lock);
    sum += 10 * number;
    finished += 1;
    cnd_signal(&changed);
    mtx_unlock(&lock);
    return number;
}

int main(void) {
    thrd_t threads[2];
    int numbers[2] = {1, 2}, results[2];
    if (mtx_init(&lock, mtx_plain) != thrd_success || cnd_init(&changed) != thrd_success) return 1;
    for (int i = 0; i < 2; i++) {
        if (thrd_create(&threads[i], worker, &numbers[i]) != thrd_success) return 1;
    }
    mtx_lock(&lock);
    while (finished < 2) cnd_wait(&changed, &lock);
    int seen = sum;
    mtx_unlock(&lock);
    for (int i = 0; i < 2; i++) thrd_join(threads[i], &results[i]);
    printf("once %d, sum %d, results %d %d\n", initialised, seen, results[0], results[1]);
    cnd_destroy(&changed);
    mtx_destroy(&lock);
    return 0;
}
