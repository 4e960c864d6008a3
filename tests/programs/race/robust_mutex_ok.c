// The owner of a robust mutex ends; the next one is told, repairs it, or nobody can lock it again.
// STDOUT: dead 1 value 42
// STDOUT: sound 1
// STDOUT: dead again 1
// STDOUT: lost 1
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t mutex;
static int value;

static void *owner(void *unused) {
    pthread_mutex_lock(&mutex);
    value = 42;
    return unused;
}

static void end_owner(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, owner, NULL);
    pthread_join(thread, NULL);
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    end_owner();
    int is_dead = pthread_mutex_lock(&mutex) == EOWNERDEAD;
    printf("dead %d value %d\n", is_dead, value);
    pthread_mutex_consistent(&mutex);
    pthread_mutex_unlock(&mutex);
    printf("sound %d\n", pthread_mutex_lock(&mutex) == 0);
    pthread_mutex_unlock(&mutex);
    end_owner();
    printf("dead again %d\n", pthread_mutex_trylock(&mutex) == EOWNERDEAD);
    pthread_mutex_unlock(&mutex);
    printf("lost %d\n", pthread_mutex_lock(&mutex) == ENOTRECOVERABLE);
    return 0;
}
