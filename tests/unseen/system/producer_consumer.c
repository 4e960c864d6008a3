// A bounded queue with condition variables, several producers and consumers, and a clean end.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};
struct queue {
    pthread_mutex_t mutex;
    pthread_cond_t not_empty, not_full;
    struct node *first, **last;
    int size, limit;
    bool closed;
};

static void queue_init(struct queue *q, int limit) {
    pthread_mutex_init(&q->mutex, NULL);
    pthread_cond_init(&q->not_empty, NULL);
    pthread_cond_init(&q->not_full, NULL);
    q->first = NULL, q->last = &q->first;
    q->size = 0, q->limit = limit, q->closed = false;
}

static void queue_put(struct queue *q, int value) {
    struct node *node = malloc(sizeof *node);
    *node = (struct node){value, NULL};
    pthread_mutex_lock(&q->mutex);
    while (q->size == q->limit) pthread_cond_wait(&q->not_full, &q->mutex);
    *q->last = node;
    q->last = &node->next;
    q->size++;
    pthread_cond_signal(&q->not_empty);
    pthread_mutex_unlock(&q->mutex);
}

static bool queue_take(struct queue *q, int *value) {
    pthread_mutex_lock(&q->mutex);
    while (!q->first && !q->closed) pthread_cond_wait(&q->not_empty, &q->mutex);
    struct node *node = q->first;
    if (node) {
        q->first = node->next;
        if (!q->first) q->last = &q->first;
        q->size--;
        pthread_cond_signal(&q->not_full);
    }
    pthread_mutex_unlock(&q->mutex);
    if (!node) return false;
    *value = node->value;
    free(node);
    return true;
}

static struct queue queue;
static void *produce(void *argument) {
    for (int i = 0; i < 50; i++) queue_put(&queue, (int)(long)argument * 1000 + i);
    return NULL;
}
static void *consume(void *argument) {
    long *sum = argument;
    int value;
    while (queue_take(&queue, &value)) *sum += value;
    return NULL;
}

int main(void) {
    queue_init(&queue, 5);
    pthread_t producers[3], consumers[3];
    long sums[3] = {0};
    for (long i = 0; i < 3; i++) {
        pthread_create(&consumers[i], NULL, consume, &sums[i]);
        pthread_create(&producers[i], NULL, produce, (void *)i);
    }
    for (int i = 0; i < 3; i++) pthread_join(producers[i], NULL);
    pthread_mutex_lock(&queue.mutex);
    queue.closed = true;
    pthread_cond_broadcast(&queue.not_empty);
    pthread_mutex_unlock(&queue.mutex);
    for (int i = 0; i < 3; i++) pthread_join(consumers[i], NULL);
    assert(!queue.first && queue.size == 0);
    printf("%ld\n", sums[0] + sums[1] + sums[2]);
    pthread_cond_destroy(&queue.not_empty), pthread_cond_destroy(&queue.not_full);
    pthread_mutex_destroy(&queue.mutex);
    return sums[0] + sums[1] + sums[2] == 50 * 3000 + 3 * 1225 ? 0 : 1;
}
