// A thread writes memory that another one has mapped and handed over without an order.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>

static _Atomic(int *) shared;

static void *worker(void *unused) {
    int *place;
    while (!(place = atomic_load_explicit(&shared, memory_order_relaxed))) {
    }
    place[100] = 7; // EXPECT: data race write 4
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    const int kind = MAP_PRIVATE | MAP_ANONYMOUS;
    int *place = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, kind, -1, 0); // PREVIOUS: write
    if (place == MAP_FAILED) return 1;
    atomic_store_explicit(&shared, place, memory_order_relaxed);
    pthread_join(thread, NULL);
    printf("%d\n", place[100]);
    munmap(place, 1 << 20);
    return 0;
}
