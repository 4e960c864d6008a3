// N writers raise one variable and then another, each under a lock of its own; the reader, which is
// made last, finds the first raised and the second not.
// KIND: atomicity violation of two variables
// FAMILY: twostage
// DEFINES: N=2 N=10 N=50
// FAILS: assert
// WHEN: the first writer is preempted between its stages, and the reader runs before any second stage
// PREEMPTIONS: 1
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 2
#endif

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second_lock = PTHREAD_MUTEX_INITIALIZER;
static int first, second;

static void *writer(void *unused) {
    pthread_mutex_lock(&first_lock);
    first = 1;
#ifndef FIXED
    pthread_mutex_unlock(&first_lock);
#endif
    pthread_mutex_lock(&second_lock);
    second = 2;
    pthread_mutex_unlock(&second_lock);
#ifdef FIXED
    pthread_mutex_unlock(&first_lock);
#endif
    return unused;
}

static void *reader(void *unused) {
    pthread_mutex_lock(&first_lock);
    int seen = first;
    pthread_mutex_unlock(&first_lock);
    if (seen == 0) return unused;
    pthread_mutex_lock(&second_lock);
    assert(second == seen + 1);
    pthread_mutex_unlock(&second_lock);
    return unused;
}

int main(void) {
    pthread_t threads[N + 1];
    for (int i = 0; i < N; i++)
        if (pthread_create(&threads[i], NULL, writer, NULL)) return 2;
    if (pthread_create(&threads[N], NULL, reader, NULL)) return 2;
    for (int i = 0; i <= N; i++) pthread_join(threads[i], NULL);
    return 0;
}
