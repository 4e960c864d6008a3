/* Two customers withdraw money from one account: look first, then take. Each step has the lock.
 *
 *     irsan run examples/overdraft.c            nothing: in this schedule all goes well
 *     irsan explore examples/overdraft.c        some schedules fail the assertion, each with a token
 *     irsan explore examples/overdraft.c fixed  look and take under one lock: one outcome
 *
 * What to see: there is no data race, so only a schedule in which both look before one takes shows
 * the error.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t account = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;
static int is_fixed;

static void *withdraw(void *argument) {
    pthread_mutex_lock(&account);
    int is_enough = balance >= 60;
    if (!is_fixed) {
        pthread_mutex_unlock(&account);
        pthread_mutex_lock(&account);
    }
    if (is_enough) balance -= 60;
    pthread_mutex_unlock(&account);
    return argument;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t customers[2];
    is_fixed = argc > 1;
    for (int i = 0; i < 2; i++) {
        if (pthread_create(&customers[i], NULL, withdraw, NULL)) return 1;
    }
    for (int i = 0; i < 2; i++) pthread_join(customers[i], NULL);
    printf("balance %d\n", balance);
    fflush(stdout);
    assert(balance >= 0);
    return 0;
}
