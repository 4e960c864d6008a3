// What the dead owner of a robust mutex wrote is ordered with its next owner; others are not.
// NATIVE: false-alarm a lock that returns EOWNERDEAD acquires nothing there
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t mutex;
static int guarded, unguarded;

static void *owner(void *unused) {
    pthread_mutex_lock(&mutex);
    guarded = 1;
    return unused;
}

static void *stranger(void *unused) {
    unguarded = 1; // EXPECT: data race write 4
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&threads[0], NULL, owner, NULL);
    pthread_create(&threads[1], NULL, stranger, NULL);
    int status;
    while ((status = pthread_mutex_lock(&mutex)) != EOWNERDEAD) {
        pthread_mutex_unlock(&mutex);
    }
    guarded = 2;
    unguarded = 2; // PREVIOUS: write 4
    pthread_mutex_consistent(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    printf("%d %d\n", guarded, unguarded);
    return 0;
}
