// Asynchronous cancellation ends a thread that computes, not while it is disabled or deferred.
// STDOUT: cleanup 1, cancelled 1
// STDOUT: disabled 7
// STDOUT: deferred 8
// STDOUT: enabled late 1
// STDOUT: atomics 1
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int is_going, is_stopped, n_cleaned;

static void clean(void *unused) {
    (void)unused;
    atomic_fetch_add(&n_cleaned, 1);
}

static void *compute(void *unused) {
    volatile long sum = 0;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    pthread_cleanup_push(clean, NULL);
    for (;;) sum++;
    pthread_cleanup_pop(0);
    return unused;
}

static void *compute_disabled(void *unused) {
    (void)unused;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    atomic_store(&is_going, 1);
    while (!atomic_load(&is_stopped)) {}
    return (void *)7;
}

static void *compute_deferred(void *unused) {
    (void)unused;
    atomic_store(&is_going, 1);
    while (!atomic_load(&is_stopped)) {}
    return (void *)8;
}

static void *enable_late(void *unused) {
    (void)unused;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    atomic_store(&is_going, 1);
    while (!atomic_load(&is_stopped)) {}
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    for (volatile int i = 0;; i++) {}
}

static void *count_for_ever(void *unused) {
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    atomic_store(&is_going, 1);
    for (;;) atomic_fetch_add(&is_going, 2);
    return unused;
}

static void *cancel(void *(*routine)(void *)) {
    pthread_t thread;
    void *result;
    atomic_store(&is_going, 0);
    atomic_store(&is_stopped, 0);
    pthread_create(&thread, NULL, routine, NULL);
    if (routine == compute) usleep(1000);
    else while (!atomic_load(&is_going)) {}
    pthread_cancel(thread);
    atomic_store(&is_stopped, 1);
    pthread_join(thread, &result);
    return result;
}

int main(void) {
    int is_ended = cancel(compute) == PTHREAD_CANCELED;
    printf("cleanup %d, cancelled %d\n", atomic_load(&n_cleaned), is_ended);
    printf("disabled %ld\n", (long)cancel(compute_disabled));
    printf("deferred %ld\n", (long)cancel(compute_deferred));
    printf("enabled late %d\n", cancel(enable_late) == PTHREAD_CANCELED);
    printf("atomics %d\n", cancel(count_for_ever) == PTHREAD_CANCELED);
    return 0;
}
