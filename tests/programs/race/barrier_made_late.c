// A barrier is used by a thread that cannot know whether it was made.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static pthread_barrier_t barrier;
static atomic_int is_made;

static void *maker(void *unused) {
    pthread_barrier_init(&barrier, NULL, 1); // PREVIOUS: write 8
    atomic_store_explicit(&is_made, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, maker, NULL);
    while (!atomic_load_explicit(&is_made, memory_order_relaxed)) {
    }
    pthread_barrier_wait(&barrier); // EXPECT: data race read 8
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&barrier);
    puts("done");
    return 0;
}
