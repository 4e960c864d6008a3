// A lock-free stack of nodes that are used again compares the top only: the same node may be back
// on top, with another one below.
// KIND: ABA
// FAILS: assert
// WHEN: a pop is preempted between its look at the second node and its exchange; the other thread
// WHEN: pops two nodes and puts the first back
// PREEMPTIONS: 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NODES = 3, NONE = 0, TAG = 256 };

static atomic_uint top; // number of a node, from 1 on, and how often it was changed, times TAG
static atomic_uint below[NODES + 1];
static atomic_int owners[NODES + 1];

static unsigned changed(unsigned seen, unsigned node) {
#ifdef FIXED
    return (seen / TAG + 1) * TAG + node;
#else
    (void)seen;
    return node;
#endif
}

static unsigned pop(void) {
    unsigned seen = atomic_load(&top), node;
    do {
        node = seen % TAG;
        if (node == NONE) return NONE;
    } while (!atomic_compare_exchange_strong(&top, &seen, changed(seen, atomic_load(&below[node]))));
    assert(atomic_fetch_add(&owners[node], 1) == 0);
    return node;
}

static void push(unsigned node) {
    atomic_fetch_sub(&owners[node], 1);
    unsigned seen = atomic_load(&top);
    do atomic_store(&below[node], seen % TAG);
    while (!atomic_compare_exchange_strong(&top, &seen, changed(seen, node)));
}

static void *taker(void *unused) {
    pop();
    pop();
    return unused;
}

static void *shuffler(void *unused) {
    unsigned first = pop();
    pop();
    if (first) push(first);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (unsigned node = 1; node <= NODES; node++) {
        atomic_store(&owners[node], 1);
        push(node);
    }
    if (pthread_create(&threads[0], NULL, taker, NULL)) return 2;
    if (pthread_create(&threads[1], NULL, shuffler, NULL)) return 2;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
