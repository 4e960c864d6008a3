// The twin of once: pthread_once.
// STDOUT: 1 300
#include <pthread.h>
#include <stdio.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int runs, table[4];

static void initialise(void) {
    runs += 1;
    for (int i = 0; i < 4; i++) table[i] = 100 * i;
}

static void *worker(void *argument) {
    int *seen = argument;
    pthread_once(&once, initialise);
    *seen = table[3];
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    int seen[3];
    for (int i = 0; i < 3; i++) {
        if (pthread_create(&threads[i], NULL, worker, &seen[i])) return 1;
    }
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    printf("%d %d\n", runs, seen[0] == seen[1] && seen[1] == seen[2] ? seen[2] : -1);
    return 0;
}
