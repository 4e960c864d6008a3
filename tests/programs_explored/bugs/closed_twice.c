// Two threads close one connection: each takes the pointer and sets it to null a little later.
// KIND: double free by race
// FAILS: double-free
// WHEN: a thread is preempted between its load and its store of null, and the other one closes
// PREEMPTIONS: 1
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static char *_Atomic connection;

static void *closer(void *unused) {
#ifdef FIXED
    free(atomic_exchange(&connection, NULL));
#else
    char *open = atomic_load(&connection);
    if (open) {
        atomic_store(&connection, NULL);
        free(open);
    }
#endif
    return unused;
}

int main(void) {
    pthread_t threads[2];
    atomic_store(&connection, malloc(32));
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, closer, NULL)) return 2;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
