// The item is stored after the post instead of before it.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t filled;
static volatile int item;

static void *producer(void *argument) {
    sem_post(&filled);
    item = 5; // PREVIOUS: write 4
    return argument;
}

int main(void) {
    pthread_t thread;
    sem_init(&filled, 0, 0);
    if (pthread_create(&thread, NULL, producer, NULL)) return 1;
    while (sem_wait(&filled)) {}
    int seen = item; // EXPECT: data race read 4
    pthread_join(thread, NULL);
    sem_destroy(&filled);
    printf("%d\n", seen >= 0);
    return 0;
}
