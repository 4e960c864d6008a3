// Two threads write memory that came from mmap.
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>

static void *worker(void *place) {
    *(int *)place = 1; // PREVIOUS
    return NULL;
}

int main(void) {
    pthread_t thread;
    int *place = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) return 1;
    pthread_create(&thread, NULL, worker, place + 100);
    place[100] = 2; // EXPECT: data race write 4
    pthread_join(thread, NULL);
    puts("done");
    munmap(place, 1 << 16);
    return 0;
}
