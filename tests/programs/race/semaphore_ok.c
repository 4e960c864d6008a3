// The twin of semaphore: two semaphores hand one slot to and fro.
// STDOUT: 0 1 4 9
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t filled, emptied;
static int slot;

static void *producer(void *argument) {
    for (int i = 0; i < 4; i++) {
        while (sem_wait(&emptied)) {}
        slot = i * i;
        sem_post(&filled);
    }
    return argument;
}

int main(void) {
    pthread_t thread;
    sem_init(&filled, 0, 0);
    sem_init(&emptied, 0, 1);
    if (pthread_create(&thread, NULL, producer, NULL)) return 1;
    for (int i = 0; i < 4; i++) {
        while (sem_wait(&filled)) {}
        printf("%d%c", slot, i < 3 ? ' ' : '\n');
        sem_post(&emptied);
    }
    pthread_join(thread, NULL);
    sem_destroy(&filled);
    sem_destroy(&emptied);
    return 0;
}
