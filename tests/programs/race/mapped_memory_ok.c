// Memory from mmap is handed from thread to thread, unmapped, and mapped again by the next one.
#define _GNU_SOURCE
// STDOUT: 0 0 0 7 7
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
enum { BYTES = 3 << 12 };

static void *worker(void *unused) {
    int *place = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) return NULL;
    int before = place[5];
    place[5] = 7;
    printf("%d ", before);
    munmap(place, BYTES);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) {
        pthread_create(&threads[i], NULL, worker, NULL);
        pthread_join(threads[i], NULL);
    }
    int *place = mmap(NULL, BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED || mprotect(place, BYTES, PROT_READ | PROT_WRITE)) return 1;
    place[0] = 7;
    int *moved = mremap(place, BYTES, 2 * BYTES, MREMAP_MAYMOVE);
    if (moved == MAP_FAILED) return 1;
    printf("%d ", moved[0]);
    moved[BYTES / 4] = 7;
    printf("%d\n", moved[BYTES / 4]);
    munmap(moved, 2 * BYTES);
    return 0;
}
