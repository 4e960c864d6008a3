// A reader-writer lock is unlocked once too often.
// NATIVE: miss an unlock that fails is not looked at there
#include <pthread.h>
#include <stdio.h>

int main(void) {
    pthread_rwlock_t lock;
    pthread_rwlock_init(&lock, NULL);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock); // EXPECT: unlock of an unlocked mutex (or by a wrong thread)
    pthread_rwlock_destroy(&lock);
    puts("done");
    return 0;
}
