// A seller looks whether a seat is left, and sells it, in two critical sections.
// KIND: atomicity violation
// FAILS: exit 1
// WHEN: a seller is preempted between the sections at the last seat, and another one sells it
// PREEMPTIONS: 1
#include <pthread.h>
#include <stdio.h>

enum { SELLERS = 3, SEATS = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sold;

static void *seller(void *unused) {
    pthread_mutex_lock(&lock);
    int is_left = sold < SEATS;
#ifndef FIXED
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    if (is_left) sold++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[SELLERS];
    for (int i = 0; i < SELLERS; i++)
        if (pthread_create(&threads[i], NULL, seller, NULL)) return 2;
    for (int i = 0; i < SELLERS; i++) pthread_join(threads[i], NULL);
    printf("%d sold\n", sold);
    return sold > SEATS;
}
