// A race does not end the program, so leaks are looked for as well.
// NATIVE: skip one tool finds races, another one leaks
#include <pthread.h>
#include <stdlib.h>

static volatile int counter;

static void *work(void *unused) {
    counter += 1; // EXPECT: data race
    return unused;
}

static void lose(void) {
    volatile char *block = malloc(100); // EXPECT: direct-leak 100
    block[0] = 1;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    lose();
    return 0;
}
