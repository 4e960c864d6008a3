// One field of a heap object is written by two threads; its neighbour by one only.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct account {
    volatile int visits;
    volatile long balance;
};

static void *deposit(void *argument) {
    struct account *account = argument;
    account->balance = 100; // PREVIOUS: write 8
    return NULL;
}

int main(void) {
    struct account *account = calloc(1, sizeof *account);
    pthread_t thread;
    if (!account || pthread_create(&thread, NULL, deposit, account)) return 1; // THREAD-CREATED
    account->visits = 1;
    account->balance = 50; // EXPECT: data race write 8
    pthread_join(thread, NULL);
    printf("%d\n", account->visits);
    free(account);
    return 0;
}
