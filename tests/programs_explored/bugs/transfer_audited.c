// A transfer takes from one account and gives to the other, each under its lock: the auditor, who
// takes both locks, sees money that is in neither.
// KIND: atomicity violation
// FAILS: assert
// WHEN: the auditor runs between the two halves of a transfer
// PREEMPTIONS: 1
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account accounts[2] = {
    {PTHREAD_MUTEX_INITIALIZER, 100},
    {PTHREAD_MUTEX_INITIALIZER, 100},
};

static void *transfer(void *unused) {
    for (int round = 0; round < 3; round++) {
        pthread_mutex_lock(&accounts[0].lock);
        accounts[0].balance -= 10;
#ifndef FIXED
        pthread_mutex_unlock(&accounts[0].lock);
#endif
        pthread_mutex_lock(&accounts[1].lock);
        accounts[1].balance += 10;
        pthread_mutex_unlock(&accounts[1].lock);
#ifdef FIXED
        pthread_mutex_unlock(&accounts[0].lock);
#endif
    }
    return unused;
}

static void *audit(void *unused) {
    for (int i = 0; i < 2; i++) pthread_mutex_lock(&accounts[i].lock);
    int sum = accounts[0].balance + accounts[1].balance;
    for (int i = 0; i < 2; i++) pthread_mutex_unlock(&accounts[i].lock);
    assert(sum == 200);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    if (pthread_create(&threads[0], NULL, transfer, NULL)) return 2;
    if (pthread_create(&threads[1], NULL, audit, NULL)) return 2;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
