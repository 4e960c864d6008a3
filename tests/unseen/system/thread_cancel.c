// Cancellation: handlers, deferred points, disabled state, testcancel, joined results.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t ready, cancelled;
static char journal[128];

static void note(const char *text) { strcat(journal, text); }
static void unlock(void *argument) {
    note("unlock ");
    pthread_mutex_unlock(argument);
}
static void release(void *argument) {
    note("free ");
    free(argument);
}

static void *waits(void *argument) {
    (void)argument;
    char *memory = malloc(100);
    pthread_cleanup_push(release, memory);
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    sem_post(&ready);
    for (;;) pthread_cond_wait(&never, &mutex);
    pthread_cleanup_pop(1);
    pthread_cleanup_pop(1);
    return NULL;
}

static void *careful(void *argument) {
    int *progress = argument, old;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    sem_post(&ready);
    while (sem_wait(&cancelled)) continue;
    for (int i = 0; i < 3; i++) {
        usleep(1000);
        pthread_testcancel();
        ++*progress;
    }
    pthread_setcancelstate(old, NULL);
    pthread_testcancel();
    *progress = -1;
    return NULL;
}

static void *sleeps(void *argument) {
    sem_post(&ready);
    sleep(1000);
    return argument;
}

static void *normal(void *argument) {
    pthread_cleanup_push(release, malloc(10));
    pthread_cleanup_pop(1);
    return argument;
}

static void *run(void *(*body)(void *), void *argument, int is_cancelled) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, body, argument);
    if (is_cancelled) {
        while (sem_wait(&ready)) continue;
        assert(pthread_cancel(thread) == 0);
        sem_post(&cancelled);
    }
    pthread_join(thread, &result);
    return result;
}

int main(void) {
    sem_init(&ready, 0, 0), sem_init(&cancelled, 0, 0);
    assert(run(waits, NULL, 1) == PTHREAD_CANCELED);
    printf("%s\n", journal);
    assert(pthread_mutex_trylock(&mutex) == 0);
    pthread_mutex_unlock(&mutex);
    int progress = 0;
    while (sem_trywait(&cancelled) == 0) continue;
    assert(run(careful, &progress, 1) == PTHREAD_CANCELED);
    printf("%d\n", progress);
    assert(run(sleeps, NULL, 1) == PTHREAD_CANCELED);
    assert(run(normal, &progress, 0) == &progress);
    printf("%s\n", journal);
    sem_destroy(&ready), sem_destroy(&cancelled);
    return progress == 3 ? 0 : 1;
}
