// Main ends without a word to its detached thread; a handler of exit frees what that still uses.
// KIND: missed join
// FAILS: heap-use-after-free
// WHEN: main waits for the first step only, and exits before the thread has done the second
// PREEMPTIONS: 1
// RACES: free is not ordered after the use
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *state;
static sem_t has_begun, has_ended;

static void release(void) {
#ifdef FIXED
    sem_wait(&has_ended);
#endif
    free(state);
}

static void *writer(void *unused) {
    atomic_store(&state[0], 1);
    sem_post(&has_begun);
    atomic_store(&state[1], 2);
    sem_post(&has_ended);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&has_begun, 0, 0);
    sem_init(&has_ended, 0, 0);
    state = calloc(2, sizeof *state);
    atexit(release);
    if (pthread_create(&thread, NULL, writer, NULL)) return 2;
    pthread_detach(thread);
    sem_wait(&has_begun);
    return 0;
}
