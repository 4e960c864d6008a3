// Treiber's stack whose pop frees its node at once: another pop may still be looking into it.
// KIND: use after free by race
// FAMILY: stack
// FAILS: heap-use-after-free
// WHEN: a pop is preempted between its load of the top and its load of the next, and another pops
// PREEMPTIONS: 1
// RACES: free is not ordered after the use
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *_Atomic next;
    struct node *retired;
};

static struct node *_Atomic top;

static void push(struct node *node) {
    struct node *seen = atomic_load(&top);
    do atomic_store(&node->next, seen);
    while (!atomic_compare_exchange_strong(&top, &seen, node));
}

static struct node *pop(void) {
    struct node *seen = atomic_load(&top);
    while (seen && !atomic_compare_exchange_strong(&top, &seen, atomic_load(&seen->next))) continue;
    return seen;
}

static void *worker(void *retired) {
    push(calloc(1, sizeof(struct node)));
    for (int i = 0; i < 2; i++) {
        struct node *node = pop();
        if (!node) continue;
#ifdef FIXED
        node->retired = *(struct node **)retired;
        *(struct node **)retired = node;
#else
        (void)retired;
        free(node);
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
    pthread_t threads[2];
    struct node *retired[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, worker, &retired[i])) return 2;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < 2; i++) free_all(retired[i]);
    for (struct node *node; (node = pop());) free(node);
    return 0;
}
