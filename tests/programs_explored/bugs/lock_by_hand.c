// A lock that is tested by one atomic operation and set by another lets two threads in.
// KIND: mutual exclusion by hand
// FAILS: exit 1
// WHEN: a thread is preempted between its test and its store; the other goes in, loads the balance
// WHEN: and is preempted before it stores it
// PREEMPTIONS: 2
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int is_locked, balance;

static void lock(void) {
#ifdef FIXED
    while (atomic_exchange(&is_locked, 1)) sched_yield();
#else
    while (atomic_load(&is_locked)) sched_yield();
    atomic_store(&is_locked, 1);
#endif
}

static void *deposit(void *unused) {
    lock();
    int seen = atomic_load(&balance);
    atomic_store(&balance, seen + 10);
    atomic_store(&is_locked, 0);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, deposit, NULL)) return 2;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    printf("balance %d\n", atomic_load(&balance));
    return atomic_load(&balance) != 20;
}
