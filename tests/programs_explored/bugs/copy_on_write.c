// Writers copy the current list, add to the copy and swap it in, whatever is current by then.
// KIND: atomicity violation
// FAILS: exit 1
// WHEN: a writer is preempted between its load and its swap, and another one swaps
// PREEMPTIONS: 1
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { WRITERS = 3 };

struct list {
    int length;
    int items[WRITERS];
};

static struct list versions[WRITERS + 1];
static struct list *_Atomic current = &versions[WRITERS];

static void *writer(void *version) {
    struct list *mine = version;
    struct list *seen = atomic_load(&current);
#ifdef FIXED
    do {
#endif
        *mine = *seen;
        mine->items[mine->length++] = (int)(mine - versions);
#ifdef FIXED
    } while (!atomic_compare_exchange_weak(&current, &seen, mine));
#else
    atomic_store(&current, mine);
#endif
    return NULL;
}

int main(void) {
    pthread_t threads[WRITERS];
    for (int i = 0; i < WRITERS; i++)
        if (pthread_create(&threads[i], NULL, writer, &versions[i])) return 2;
    for (int i = 0; i < WRITERS; i++) pthread_join(threads[i], NULL);
    int length = atomic_load(&current)->length;
    printf("%d items\n", length);
    return length != WRITERS;
}
