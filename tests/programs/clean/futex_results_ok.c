// What the futex system call gives back: how many it woke, ETIMEDOUT, EAGAIN, EINTR.
// STDOUT: timed out 1, changed 1, woke 2 of 2, nobody 0, interrupted 1
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_uint word, n_waiting, n_woken;
static long ended, interrupted;

static long futex(int operation, unsigned value, const struct timespec *limit) {
    return syscall(SYS_futex, &word, operation | FUTEX_PRIVATE_FLAG, value, limit, NULL, 0);
}

static void *wait_here(void *unused) {
    atomic_fetch_add(&n_waiting, 1);
    if (futex(FUTEX_WAIT, 0, NULL) == 0) atomic_fetch_add(&n_woken, 1);
    return unused;
}

static void on_signal(int number) { (void)number; }

static void *wait_for_signal(void *unused) {
    atomic_fetch_add(&n_waiting, 1);
    ended = futex(FUTEX_WAIT, 0, NULL);
    interrupted = errno == EINTR;
    return unused;
}

int main(void) {
    struct timespec brief = {0, 1000000};
    int timed_out = futex(FUTEX_WAIT, 0, &brief) == -1 && errno == ETIMEDOUT;
    int changed = futex(FUTEX_WAIT, 1, NULL) == -1 && errno == EAGAIN;
    pthread_t threads[2], last;
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, wait_here, NULL);
    while (atomic_load(&n_waiting) < 2) usleep(100);
    usleep(1000);
    long woke = futex(FUTEX_WAKE, 10, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    long nobody = futex(FUTEX_WAKE, 10, NULL);

    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGUSR1, &action, NULL);
    pthread_create(&last, NULL, wait_for_signal, NULL);
    while (atomic_load(&n_waiting) < 3) usleep(100);
    usleep(1000);
    pthread_kill(last, SIGUSR1);
    pthread_join(last, NULL);
    printf("timed out %d, changed %d, woke %ld of %u, nobody %ld, interrupted %d\n", timed_out,
           changed, woke, n_woken, nobody, ended == -1 && interrupted);
    return 0;
}
