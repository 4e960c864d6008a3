// Two threads write memory that mremap has moved.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
enum { BYTES = 2 << 12 };

static void *worker(void *place) {
    *(int *)place = 1; // PREVIOUS: write 4
    return NULL;
}

int main(void) {
    pthread_t thread;
    int *place = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) return 1;
    place = mremap(place, BYTES, 8 * BYTES, MREMAP_MAYMOVE);
    if (place == MAP_FAILED) return 1;
    pthread_create(&thread, NULL, worker, place + 5000);
    place[5000] = 2; // EXPECT: data race write 4
    pthread_join(thread, NULL);
    puts("done");
    return 0;
}
