// Michael and Scott's queue whose dequeue frees the old dummy at once, without hazard pointers.
// KIND: use after free by race
// FAMILY: queue
// FAILS: heap-use-after-free
// WHEN: an operation is preempted between its load of head or tail and its load of the next, and
// WHEN: another thread dequeues
// PREEMPTIONS: 1
// RACES: free is not ordered after the use
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { THREADS = 2, ROUNDS = 2 };

struct node {
    struct node *_Atomic next;
    struct node *retired;
    atomic_int value;
};

static struct node *_Atomic head, *_Atomic tail;

static void enqueue(int value) {
    struct node *made = calloc(1, sizeof *made);
    atomic_store(&made->value, value);
    for (;;) {
        struct node *last = atomic_load(&tail);
        struct node *next = atomic_load(&last->next);
        if (next) {
            atomic_compare_exchange_strong(&tail, &last, next);
        } else if (atomic_compare_exchange_strong(&last->next, &next, made)) {
            atomic_compare_exchange_strong(&tail, &last, made);
            return;
        }
    }
}

static struct node *dequeue(int *value) {
    for (;;) {
        struct node *first = atomic_load(&head);
        struct node *last = atomic_load(&tail);
        struct node *next = atomic_load(&first->next);
        if (first != atomic_load(&head)) continue;
        if (!next) return NULL;
        if (first == last) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        *value = atomic_load(&next->value);
        if (atomic_compare_exchange_strong(&head, &first, next)) return first;
    }
}

static void *worker(void *retired) {
    for (int i = 0; i < ROUNDS; i++) {
        int value;
        enqueue(i);
        struct node *old = dequeue(&value);
        if (!old) continue;
#ifdef FIXED
        old->retired = *(struct node **)retired;
        *(struct node **)retired = old;
#else
        (void)retired;
        free(old);
#endif
    }
    return NULL;
}

static void free_all(struct node *node) {
    while (node) {
        struct node *next = node->retired;
        free(node);
        node = next;
    }
}

int main(void) {
    pthread_t threads[THREADS];
    struct node *retired[THREADS] = {NULL};
    int value;
    atomic_store(&head, calloc(1, sizeof(struct node)));
    atomic_store(&tail, atomic_load(&head));
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, worker, &retired[i])) return 2;
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) free_all(retired[i]);
    for (struct node *node; (node = dequeue(&value));) free(node);
    free(atomic_load(&head));
    return 0;
}
