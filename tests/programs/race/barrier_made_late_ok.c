// A barrier is made before the threads that use it, destroyed after them, and made anew.
// STDOUT: done
#include <pthread.h>
#include <stdio.h>
static pthread_barrier_t barrier;

static void *meet(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_barrier_wait(&barrier);
    }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int round = 0; round < 2; round++) {
        pthread_barrier_init(&barrier, NULL, 2);
        for (int i = 0; i < 2; i++) {
            pthread_create(&threads[i], NULL, meet, NULL);
        }
        for (int i = 0; i < 2; i++) {
            pthread_join(threads[i], NULL);
        }
        pthread_barrier_destroy(&barrier);
    }
    puts("done");
    return 0;
}
