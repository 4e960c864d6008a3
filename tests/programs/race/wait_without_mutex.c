// A thread waits on a condition variable without holding the mutex.
// NATIVE: miss the wait is an unlock of an unlocked mutex there
#include <pthread.h>
#include <stdio.h>
#include <time.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

int main(void) {
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_sec += 1;
    pthread_cond_timedwait( // EXPECT: wait on a condition variable without its mutex
        &condition, &mutex, &soon);
    pthread_mutex_unlock(&mutex);
    puts("done");
    return 0;
}
