// A destructor of the thread unlocks what its function left locked; the program ends with a lock.
// STDOUT: done
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;

static void unlock(void *locked) {
    pthread_mutex_unlock(locked);
}

static void *work(void *unused) {
    pthread_setspecific(key, &mutex);
    pthread_mutex_lock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, unlock);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    pthread_mutex_lock(&mutex);
    puts("done");
    exit(0);
}
