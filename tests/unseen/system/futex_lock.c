// A mutex and a gate over the futex system call, as a run-time library has them.
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long futex(atomic_uint *word, int operation, unsigned value, const struct timespec *limit) {
    return syscall(SYS_futex, word, operation | FUTEX_PRIVATE_FLAG, value, limit, NULL, 0);
}

struct lock {
    atomic_uint state;  // 0 free, 1 taken, 2 taken and somebody waits
};

static void lock(struct lock *l) {
    unsigned seen = 0;
    if (atomic_compare_exchange_strong(&l->state, &seen, 1)) return;
    if (seen != 2) seen = atomic_exchange(&l->state, 2);
    while (seen) {
        futex(&l->state, FUTEX_WAIT, 2, NULL);
        seen = atomic_exchange(&l->state, 2);
    }
}
static void unlock(struct lock *l) {
    if (atomic_exchange(&l->state, 0) == 2) futex(&l->state, FUTEX_WAKE, 1, NULL);
}

static struct lock mutex;
static atomic_uint gate;
static long counter;
static int order[4], n_order;

static void *work(void *argument) {
    while (!atomic_load(&gate)) futex(&gate, FUTEX_WAIT, 0, NULL);
    for (int i = 0; i < 100; i++) {
        lock(&mutex);
        counter += i;
        if (i == 99) order[n_order++] = (int)(long)argument;
        unlock(&mutex);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[4];
    for (long i = 0; i < 4; i++) pthread_create(&threads[i], NULL, work, (void *)i);
    atomic_store(&gate, 1);
    futex(&gate, FUTEX_WAKE, INT32_MAX, NULL);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    int seen = 0;
    for (int i = 0; i < n_order; i++) seen |= 1 << order[i];
    printf("%ld %d %x\n", counter, n_order, seen);
    struct timespec brief = {0, 2000000};
    atomic_uint word = 5;
    assert(futex(&word, FUTEX_WAIT, 5, &brief) == -1 && errno == ETIMEDOUT);
    assert(futex(&word, FUTEX_WAIT, 4, &brief) == -1 && errno == EAGAIN);
    assert(futex(&word, FUTEX_WAKE, 10, NULL) == 0);
    assert(syscall(SYS_getpid) == getpid() && syscall(SYS_gettid) == getpid());
    return counter == 4 * 4950 ? 0 : 1;
}
