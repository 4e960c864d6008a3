/* Two clerks book deposits on one account: read, add, write back. Updates get lost.
 *
 *     irsan run examples/lost_update.c            a data race in `deposit`
 *     irsan run examples/lost_update.c fixed      the same program with a mutex: silent
 *
 * What to see: the report names both accesses whatever the schedule was, also in runs where the
 * printed balance happens to be right.
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t account = PTHREAD_MUTEX_INITIALIZER;
static int uses_mutex;
static int balance;

static void deposit(int amount) {
    int before = balance;
    balance = before + amount;
}

static void *clerk(void *argument) {
    for (int i = 0; i < 100; i++) {
        if (uses_mutex) pthread_mutex_lock(&account);
        deposit(1);
        if (uses_mutex) pthread_mutex_unlock(&account);
    }
    return argument;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t clerks[2];
    uses_mutex = argc > 1;
    for (int i = 0; i < 2; i++) {
        if (pthread_create(&clerks[i], NULL, clerk, NULL)) return 1;
    }
    for (int i = 0; i < 2; i++) pthread_join(clerks[i], NULL);
    printf("balance %d of 200\n", balance);
    return 0;
}
