// One thread deposits, one withdraws, one checks the balance once both say that they are done; they
// say so before they are.
// KIND: ordering
// FAMILY: account
// FAILS: assert
// WHEN: a thread is preempted behind its flag, when the other is done, and the check runs
// PREEMPTIONS: 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { START = 50, DEPOSITED = 20, WITHDRAWN = 30 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = START;
static atomic_int deposit_done, withdrawal_done;

static void change(int amount, atomic_int *done) {
#ifndef FIXED
    atomic_store(done, 1);
#endif
    pthread_mutex_lock(&lock);
    balance += amount;
    pthread_mutex_unlock(&lock);
#ifdef FIXED
    atomic_store(done, 1);
#endif
}

static void *deposit(void *unused) {
    change(DEPOSITED, &deposit_done);
    return unused;
}

static void *withdraw(void *unused) {
    change(-WITHDRAWN, &withdrawal_done);
    return unused;
}

static void *check(void *unused) {
    if (!atomic_load(&deposit_done) || !atomic_load(&withdrawal_done)) return unused;
    pthread_mutex_lock(&lock);
    assert(balance == START + DEPOSITED - WITHDRAWN);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    void *(*const roles[])(void *) = {check, deposit, withdraw};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        if (pthread_create(&threads[i], NULL, roles[i], NULL)) return 2;
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    return 0;
}
