// A reference count goes down in two critical sections: when both threads read 2, nobody frees.
// SEEDS: some the other thread has to come between two accesses
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int references = 2;

static int count(int change, int is_write) {
    pthread_mutex_lock(&lock);
    if (is_write) references = change;
    int now = references;
    pthread_mutex_unlock(&lock);
    return now;
}

static void *drop(void *block) {
    int left = count(0, 0) - 1;
    if (count(left, 1) == 0) free(block);
    return NULL;
}

static void share(void) {
    pthread_t threads[2];
    void *block = malloc(24); // EXPECT: direct-leak 24
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, drop, block);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}

int main(void) {
    share();
    return 0;
}
