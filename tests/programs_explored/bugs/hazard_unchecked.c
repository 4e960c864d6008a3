// A reader announces the node that it has loaded, but does not look whether it is still the current
// one: the writer may have freed it before the announcement.
// KIND: use after free by race
// FAILS: heap-use-after-free
// WHEN: the reader is preempted between its load and its announcement, and the writer replaces
// PREEMPTIONS: 1
// RACES: free is not ordered after the use
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    atomic_int value;
};

static struct node *_Atomic current;
static struct node *_Atomic hazard;

static struct node *new_node(int value) {
    struct node *made = malloc(sizeof *made);
    atomic_init(&made->value, value);
    return made;
}

static void *reader(void *unused) {
    struct node *seen = atomic_load(&current);
    atomic_store(&hazard, seen);
#ifdef FIXED
    while (seen != atomic_load(&current)) {
        seen = atomic_load(&current);
        atomic_store(&hazard, seen);
    }
#endif
    int value = atomic_load(&seen->value);
    atomic_store(&hazard, NULL);
    if (value == 0) abort();
    return unused;
}

static void *writer(void *kept) {
    struct node *old = atomic_exchange(&current, new_node(2));
    if (atomic_load(&hazard) == old) *(struct node **)kept = old;
    else free(old);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    struct node *kept = NULL;
    atomic_store(&current, new_node(1));
    if (pthread_create(&threads[0], NULL, reader, NULL)) return 2;
    if (pthread_create(&threads[1], NULL, writer, &kept)) return 2;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    free(kept);
    free(atomic_load(&current));
    return 0;
}
