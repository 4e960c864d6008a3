// The twin of heap_struct_field: each thread has a field of its own.
// STDOUT: 1 100
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct account {
    volatile int visits;
    volatile long balance;
};

static void *deposit(void *argument) {
    struct account *account = argument;
    account->balance = 100;
    return NULL;
}

int main(void) {
    struct account *account = calloc(1, sizeof *account);
    pthread_t thread;
    if (!account || pthread_create(&thread, NULL, deposit, account)) return 1;
    account->visits = 1;
    pthread_join(thread, NULL);
    printf("%d %ld\n", account->visits, account->balance);
    free(account);
    return 0;
}
