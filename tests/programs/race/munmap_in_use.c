// Memory is unmapped when its user is done, but nothing orders the two.
// NATIVE: miss unmapping memory is no access to the original
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
enum { BYTES = 64 << 12 };

static atomic_int is_done;

static void *worker(void *place) {
    ((int *)place)[9000] = 7; // PREVIOUS: write 4
    atomic_store_explicit(&is_done, 1, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int *place = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) return 1;
    pthread_create(&thread, NULL, worker, place);
    while (!atomic_load_explicit(&is_done, memory_order_relaxed)) {
    }
    munmap(place, BYTES); // EXPECT: data race write
    pthread_join(thread, NULL);
    puts("done");
    return 0;
}
