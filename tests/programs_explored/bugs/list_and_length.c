// The length of a list is raised under the lock, the item is linked under the lock, but not at once.
// KIND: atomicity violation of two variables
// FAILS: SEGV
// WHEN: the appender is preempted between its sections, and the reader trusts the length
// PREEMPTIONS: 1
#include <pthread.h>
#include <stdlib.h>

struct item {
    struct item *next;
    int value;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct item *first;
static int length;

static void *appender(void *unused) {
    struct item *item = calloc(1, sizeof *item);
    pthread_mutex_lock(&lock);
    length++;
#ifndef FIXED
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    item->next = first;
    first = item;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *reader(void *sum) {
    pthread_mutex_lock(&lock);
    struct item *item = first;
    for (int i = 0; i < length; i++, item = item->next) *(int *)sum += item->value;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    int sum = 0;
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, appender, NULL)) return 2;
    if (pthread_create(&threads[2], NULL, reader, &sum)) return 2;
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    while (first) {
        struct item *next = first->next;
        free(first);
        first = next;
    }
    return sum;
}
