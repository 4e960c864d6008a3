// Two threads count in a plain variable.
// KIND: atomicity violation
// FAILS: output
// STDOUT: 4
// WHEN: a thread is preempted between its plain load and its plain store, and the other one counts
// PREEMPTIONS: 1
// RACES: the counter is neither locked nor atomic
#include <pthread.h>
#include <stdio.h>

enum { ROUNDS = 2 };

static volatile int count;
#ifdef FIXED
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#endif

static void *worker(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
#ifdef FIXED
        pthread_mutex_lock(&lock);
#endif
        count++;
#ifdef FIXED
        pthread_mutex_unlock(&lock);
#endif
    }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, worker, NULL)) return 2;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    printf("%d\n", count);
    return count != 2 * ROUNDS;
}
