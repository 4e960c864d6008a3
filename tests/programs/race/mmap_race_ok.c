// Memory that one thread maps, another uses and a third unmaps, each told by the one before.
// STDOUT: 7 0
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
enum { BYTES = 1 << 20 };

static _Atomic(int *) shared, used;

static void *worker(void *unused) {
    int *place;
    while (!(place = atomic_load_explicit(&shared, memory_order_acquire))) {
    }
    place[700] = 7;
    atomic_store_explicit(&used, place, memory_order_release);
    return unused;
}

static void *cleaner(void *unused) {
    int *place;
    while (!(place = atomic_load_explicit(&used, memory_order_acquire))) {
    }
    printf("%d %d\n", place[700], place[0]);
    munmap(place, BYTES);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, worker, NULL);
    pthread_create(&threads[1], NULL, cleaner, NULL);
    int *place = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) return 1;
    atomic_store_explicit(&shared, place, memory_order_release);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
