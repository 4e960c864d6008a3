// A write is followed by accesses of seven threads to other bytes of the same eight.
// NATIVE: miss four accesses are kept there, and seven threads have pushed this one out
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { NEIGHBOURS = 7, ROUNDS = 40 };

static volatile char *bytes;
static pthread_mutex_t own[NEIGHBOURS + 1];

static void *neighbour(void *number) {
    long me = (long)number;
    for (int round = 0; round < ROUNDS; round++) {
        usleep(1000);
        bytes[me] = 1;
        pthread_mutex_lock(&own[me]); // a new epoch
        pthread_mutex_unlock(&own[me]);
    }
    return NULL;
}

static void *first(void *unused) {
    bytes[0] = 1; // PREVIOUS: write 1
    return unused;
}

static void *last(void *unused) {
    usleep(1000 * 1000);
    bytes[0] = 2; // EXPECT: data race write 1
    return unused;
}

int main(void) {
    pthread_t threads[NEIGHBOURS + 2];
    bytes = malloc(8);
    for (int i = 0; i <= NEIGHBOURS; i++) pthread_mutex_init(&own[i], NULL);
    pthread_create(&threads[0], NULL, first, NULL);
    for (long i = 1; i <= NEIGHBOURS; i++) {
        pthread_create(&threads[i], NULL, neighbour, (void *)i);
    }
    pthread_create(&threads[NEIGHBOURS + 1], NULL, last, NULL);
    for (int i = 0; i < NEIGHBOURS + 2; i++) pthread_join(threads[i], NULL);
    free((void *)bytes);
    puts("done");
    return 0;
}
