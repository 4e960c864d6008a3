// The twin of rwlock_write_under_read: readers read, the writer has the lock to itself.
// STDOUT: consistent
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static volatile int pair[2];
static int torn[2];

static void *reader(void *argument) {
    int *mine = argument;
    for (int i = 0; i < 5; i++) {
        pthread_rwlock_rdlock(&lock);
        *mine += pair[0] != pair[1];
        pthread_rwlock_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        if (pthread_create(&threads[i], NULL, reader, &torn[i])) return 1;
    }
    for (int i = 0; i < 5; i++) {
        pthread_rwlock_wrlock(&lock);
        pair[0] += 1;
        pair[1] += 1;
        pthread_rwlock_unlock(&lock);
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    puts(torn[0] + torn[1] ? "torn" : "consistent");
    return 0;
}
