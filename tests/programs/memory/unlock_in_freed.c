// An account is closed, and freed, by a thread that has locked it; then it unlocks it.
// NATIVE: miss AddressSanitizer does not look at mutexes as memory
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct account {
    long balance;
    pthread_mutex_t mutex;
};

static void close_account(struct account *account) {
    account->balance = 0;
    free(account); // FREED
}

int main(void) {
    struct account *account = calloc(1, sizeof *account); // ALLOCATED
    if (!account) return 1;
    pthread_mutex_init(&account->mutex, NULL);
    pthread_mutex_lock(&account->mutex);
    close_account(account);
    pthread_mutex_unlock(&account->mutex); // EXPECT: heap-use-after-free write 40
    printf("not reached\n");
    return 0;
}
