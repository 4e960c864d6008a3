// A write under the shared lock: two readers may be inside at once.
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static volatile int hits;

static void *worker(void *argument) {
    pthread_rwlock_rdlock(&lock);
    hits = 1; // EXPECT: data race write 4
    pthread_rwlock_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        if (pthread_create(&threads[i], NULL, worker, NULL)) return 1;
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    printf("%d\n", hits);
    return 0;
}
