// A reader-writer lock whose creation is not ordered before its use.
#include <pthread.h>
#include <stdio.h>
static pthread_rwlock_t lock;
static int is_made;

static void *maker(void *unused) {
    pthread_rwlock_init(&lock, NULL); // PREVIOUS: write 1
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    __atomic_store_n(&is_made, 1, __ATOMIC_RELAXED);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, maker, NULL);
    while (!__atomic_load_n(&is_made, __ATOMIC_RELAXED)) {}
    pthread_rwlock_rdlock(&lock); // EXPECT: data race atomic read 1
    pthread_rwlock_unlock(&lock);
    pthread_join(thread, NULL);
    puts("done");
    return 0;
}
