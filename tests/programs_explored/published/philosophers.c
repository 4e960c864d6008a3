// N philosophers take the fork on their left, then the one on their right.
// KIND: deadlock
// FAMILY: philosophers
// DEFINES: N=2 N=3 N=4 N=5
// FAILS: deadlock
// WHEN: each has taken one fork
// PREEMPTIONS: N-1
#include <pthread.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t forks[N];
static int numbers[N];

static void *philosopher(void *argument) {
    int left = *(int *)argument;
    int right = (left + 1) % N;
#ifdef FIXED
    if (right < left) {
        right = left;
        left = 0;
    }
#endif
    pthread_mutex_lock(&forks[left]);
    pthread_mutex_lock(&forks[right]);
    pthread_mutex_unlock(&forks[right]);
    pthread_mutex_unlock(&forks[left]);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++) {
        numbers[i] = i;
        pthread_mutex_init(&forks[i], NULL);
    }
    for (int i = 0; i < N; i++)
        if (pthread_create(&threads[i], NULL, philosopher, &numbers[i])) return 2;
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < N; i++) pthread_mutex_destroy(&forks[i]);
    return 0;
}
