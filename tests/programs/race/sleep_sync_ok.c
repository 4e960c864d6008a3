// The twin of sleep_sync: threads sleep, time passes, and a mutex orders what they do.
// STDOUT: 3 yes
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int finished;

static void *worker(void *argument) {
    usleep(*(useconds_t *)argument);
    pthread_mutex_lock(&lock);
    finished += 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    useconds_t delays_us[3] = {3000, 1000, 2000};
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (int i = 0; i < 3; i++) {
        if (pthread_create(&threads[i], NULL, worker, &delays_us[i])) return 1;
    }
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    clock_gettime(CLOCK_MONOTONIC, &end);
    long elapsed_ns = (end.tv_sec - start.tv_sec) * 1000000000 + end.tv_nsec - start.tv_nsec;
    printf("%d %s\n", finished, elapsed_ns >= 3000000 ? "yes" : "no");
    return 0;
}
