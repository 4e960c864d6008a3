/* Publication with fences: correct by the C11 memory model, and a well-known false alarm of tools
 * that do not model fences.
 *
 *     irsan run examples/fence_publication.c             silent
 *     irsan run examples/fence_publication.c broken      without the acquire fence: a data race
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static int payload[4];
static atomic_int ready;

static void *producer(void *argument) {
    for (int i = 0; i < 4; i++) payload[i] = i * i;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return argument;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t thread;
    if (pthread_create(&thread, NULL, producer, NULL)) return 1;
    while (!atomic_load_explicit(&ready, memory_order_relaxed)) sched_yield();
    if (argc == 1) atomic_thread_fence(memory_order_acquire);
    printf("%d\n", payload[3]);
    pthread_join(thread, NULL);
    return 0;
}
