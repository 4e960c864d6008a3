// A recursive lock knows its owner by what gettid says.
// STDOUT: 400
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int owner;
static int depth, counted;

static void lock(void) {
    int self = (int)syscall(SYS_gettid), nobody = 0;
    if (atomic_load(&owner) != self)
        while (!atomic_compare_exchange_weak(&owner, &nobody, self)) {
            nobody = 0;
            sched_yield();
        }
    depth++;
}

static void unlock(void) {
    if (--depth == 0)
        atomic_store(&owner, 0);
}

static void *work(void *argument) {
    (void)argument;
    for (int i = 0; i < 100; i++) {
        lock();
        lock();
        counted++;
        unlock();
        unlock();
    }
    return NULL;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", counted);
    return 0;
}
