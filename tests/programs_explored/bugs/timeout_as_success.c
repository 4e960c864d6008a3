// A consumer takes the end of a timed wait for the arrival of an item.
// KIND: timed wait
// FAILS: output
// STDOUT: item 7
// WHEN: the wait, which is as long as the producer's work, ends before the producer locks
// PREEMPTIONS: 0
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { WORK_US = 500 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_item = PTHREAD_COND_INITIALIZER;
static int item;

static void *producer(void *unused) {
    usleep(WORK_US);
    pthread_mutex_lock(&lock);
    item = 7;
    pthread_cond_signal(&has_item);
    pthread_mutex_unlock(&lock);
    return unused;
}

static struct timespec deadline(void) {
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_nsec += WORK_US * 1000;
    if (at.tv_nsec >= 1000000000) {
        at.tv_nsec -= 1000000000;
        at.tv_sec++;
    }
    return at;
}

static void *consumer(void *unused) {
    struct timespec at = deadline();
    pthread_mutex_lock(&lock);
#ifdef FIXED
    while (!item) {
        pthread_cond_timedwait(&has_item, &lock, &at);
        at = deadline();
    }
#else
    if (!item) pthread_cond_timedwait(&has_item, &lock, &at);
#endif
    printf("item %d\n", item);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    if (pthread_create(&threads[0], NULL, producer, NULL)) return 2;
    if (pthread_create(&threads[1], NULL, consumer, NULL)) return 2;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
