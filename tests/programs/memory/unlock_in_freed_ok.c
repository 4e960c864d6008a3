// The twin of unlock_in_freed: the mutex is unlocked and destroyed before its memory is freed.
// STDOUT: closed
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct account {
    long balance;
    pthread_mutex_t mutex;
};

static void close_account(struct account *account) {
    account->balance = 0;
    pthread_mutex_unlock(&account->mutex);
    pthread_mutex_destroy(&account->mutex);
    free(account);
}

int main(void) {
    struct account *account = calloc(1, sizeof *account);
    if (!account) return 1;
    pthread_mutex_init(&account->mutex, NULL);
    pthread_mutex_lock(&account->mutex);
    close_account(account);
    printf("closed\n");
    return 0;
}
