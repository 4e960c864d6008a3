// Two threads find that nobody has made the table yet, and both make one.
// KIND: atomicity violation
// FAILS: direct-leak
// WHEN: a thread is preempted between its look and its store, and another one makes the table
// PREEMPTIONS: 1
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic table;
#ifdef FIXED
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#endif

static int *get_table(void) {
    int *found = atomic_load(&table);
    if (found) return found;
#ifdef FIXED
    pthread_mutex_lock(&lock);
    found = atomic_load(&table);
#endif
    if (!found) {
        found = calloc(8, sizeof *found);
        found[0] = 1;
        atomic_store(&table, found);
    }
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
    return found;
}

static void *user(void *result) {
    *(int *)result = get_table()[0];
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int results[2] = {0};
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, user, &results[i])) return 2;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    free(atomic_load(&table));
    return results[0] + results[1] != 2;
}
