// Two threads take the same two locks in opposite orders.
// KIND: deadlock
// FAILS: deadlock
// WHEN: a thread is preempted between its two locks, and the other one takes its first
// PREEMPTIONS: 1
#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;
static int moved;

static void move(pthread_mutex_t *from, pthread_mutex_t *to) {
    pthread_mutex_lock(from);
    pthread_mutex_lock(to);
    moved++;
    pthread_mutex_unlock(to);
    pthread_mutex_unlock(from);
}

static void *rightwards(void *unused) {
    move(&left, &right);
    return unused;
}

static void *leftwards(void *unused) {
#ifdef FIXED
    move(&left, &right);
#else
    move(&right, &left);
#endif
    return unused;
}

int main(void) {
    pthread_t threads[2];
    if (pthread_create(&threads[0], NULL, rightwards, NULL)) return 2;
    if (pthread_create(&threads[1], NULL, leftwards, NULL)) return 2;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return moved != 2;
}
