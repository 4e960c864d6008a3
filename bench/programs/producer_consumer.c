// Two producers and two consumers on one bounded queue: condition variables and hand-over.
// SIZE: default 2400000, smoke 40000
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 4
#endif
enum { CAPACITY = 256, SIDES = THREADS / 2 };

static struct queue {
    pthread_mutex_t lock;
    pthread_cond_t not_empty, not_full;
    long *items[CAPACITY];
    int head, count;
} queue = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, {0}, 0, 0};

static long items_all;

static void put(long *item) {
    pthread_mutex_lock(&queue.lock);
    while (queue.count == CAPACITY) pthread_cond_wait(&queue.not_full, &queue.lock);
    queue.items[(queue.head + queue.count++) % CAPACITY] = item;
    pthread_cond_signal(&queue.not_empty);
    pthread_mutex_unlock(&queue.lock);
}

static long *take(void) {
    pthread_mutex_lock(&queue.lock);
    while (queue.count == 0) pthread_cond_wait(&queue.not_empty, &queue.lock);
    long *item = queue.items[queue.head];
    queue.head = (queue.head + 1) % CAPACITY;
    queue.count -= 1;
    pthread_cond_signal(&queue.not_full);
    pthread_mutex_unlock(&queue.lock);
    return item;
}

static void *produce(void *argument) {
    (void)argument;
    for (long i = 1; i <= items_all / SIDES; i++) {
        long *item = malloc(sizeof *item);
        if (!item) exit(1);
        *item = i;
        put(item);
    }
    return NULL;
}

static void *consume(void *argument) {
    long *sum = argument;
    for (long i = 0; i < items_all / SIDES; i++) {
        long *item = take();
        *sum += *item;
        free(item);
    }
    return NULL;
}

int main(int argc, char **argv) {
    items_all = 2 * (argc > 1 ? atol(argv[1]) : 2400000);
    pthread_t producers[SIDES], consumers[SIDES];
    long sums[SIDES] = {0}, sum = 0;
    for (int i = 0; i < SIDES; i++) {
        if (pthread_create(&producers[i], NULL, produce, NULL)) return 1;
        if (pthread_create(&consumers[i], NULL, consume, &sums[i])) return 1;
    }
    for (int i = 0; i < SIDES; i++) {
        pthread_join(producers[i], NULL);
        pthread_join(consumers[i], NULL);
        sum += sums[i];
    }
    printf("producer_consumer %ld %ld\n", items_all, sum);
    return 0;
}
