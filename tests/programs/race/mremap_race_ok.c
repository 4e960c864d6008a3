// Memory moves and shrinks between the threads that use it.
// STDOUT: 1 2
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
enum { BYTES = 2 << 12 };

static void *worker(void *place) {
    *(int *)place = 1;
    return NULL;
}

static int *resize(int *place, size_t from, size_t to) {
    return mremap(place, from, to, MREMAP_MAYMOVE);
}

int main(void) {
    pthread_t thread;
    int *place = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) return 1;
    pthread_create(&thread, NULL, worker, place + 5);
    pthread_join(thread, NULL);
    place = resize(place, BYTES, 8 * BYTES);
    if (place == MAP_FAILED) return 1;
    place[5000] = 2;
    int last = place[5000];
    place = resize(place, 8 * BYTES, BYTES);
    if (place == MAP_FAILED) return 1;
    printf("%d %d\n", place[5], last);
    munmap(place, BYTES);
    return 0;
}
