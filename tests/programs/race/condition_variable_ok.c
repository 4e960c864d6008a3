// The twin of condition_variable: a bounded queue with two condition variables.
// STDOUT: 55
#include <pthread.h>
#include <stdio.h>

enum { CAPACITY = 3, ITEMS = 10 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;
static int queue[CAPACITY], count, head;

static void *producer(void *argument) {
    for (int item = 1; item <= ITEMS; item++) {
        pthread_mutex_lock(&lock);
        while (count == CAPACITY) pthread_cond_wait(&not_full, &lock);
        queue[(head + count++) % CAPACITY] = item;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

int main(void) {
    pthread_t thread;
    int sum = 0;
    if (pthread_create(&thread, NULL, producer, NULL)) return 1;
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&lock);
        while (count == 0) pthread_cond_wait(&not_empty, &lock);
        sum += queue[head];
        head = (head + 1) % CAPACITY;
        count -= 1;
        pthread_cond_broadcast(&not_full);
        pthread_mutex_unlock(&lock);
    }
    pthread_join(thread, NULL);
    printf("%d\n", sum);
    return 0;
}
