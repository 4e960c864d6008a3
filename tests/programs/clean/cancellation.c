// Deferred cancellation runs C cleanup handlers, pthread_exit too; a futex wait lets others run.
// STDOUT: cleanup two
// STDOUT: cleanup one
// STDOUT: cancelled 1
// STDOUT: cleanup exit
// STDOUT: result 7
// STDOUT: woken
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;

static void cleanup(void *name) { printf("cleanup %s\n", (const char *)name); }

static void *sleeper(void *unused) {
    (void)unused;
    pthread_cleanup_push(cleanup, "one");
    pthread_cleanup_push(cleanup, "two");
    for (;;) usleep(1000);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return 0;
}

static void *leaver(void *unused) {
    (void)unused;
    pthread_cleanup_push(cleanup, "exit");
    pthread_exit((void *)7);
    pthread_cleanup_pop(0);
    return 0;
}

static void *waker(void *unused) {
    (void)unused;
    usleep(2000);
    atomic_store(&word, 1);
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0);
    return 0;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, sleeper, 0);
    usleep(5000);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    printf("cancelled %d\n", result == PTHREAD_CANCELED);
    pthread_create(&thread, 0, leaver, 0);
    pthread_join(thread, &result);
    printf("result %ld\n", (long)result);
    pthread_create(&thread, 0, waker, 0);
    while (!atomic_load(&word)) syscall(SYS_futex, &word, FUTEX_WAIT, 0, 0, 0, 0);
    pthread_join(thread, 0);
    puts("woken");
    return 0;
}
