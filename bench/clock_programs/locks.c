// What a lock costs: locks.c HELD PAIRS takes and releases a lock PAIRS times, holding HELD others.
// A second thread stands by, or no order would be kept.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t others[16];

static void *stand_by(void *argument) {
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    return argument;
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    int n_held = atoi(argv[1]);
    long n_pairs = atol(argv[2]);
    pthread_t thread;
    if (n_held < 0 || n_held > 16) return 2;
    pthread_mutex_lock(&gate);
    if (pthread_create(&thread, NULL, stand_by, NULL)) return 1;
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < n_held; i++) pthread_mutex_init(&others[i], NULL);
    for (int i = 0; i < n_held; i++) pthread_mutex_lock(&others[i]);
    for (long i = 0; i < n_pairs; i++) {
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
    }
    for (int i = 0; i < n_held; i++) pthread_mutex_unlock(&others[i]);
    pthread_join(thread, NULL);
    printf("%ld\n", n_pairs);
    return 0;
}
