// The twin of sizes_overlap: the lower half for one thread, two of the upper bytes for the other.
// STDOUT: 7 1 2
#include <pthread.h>
#include <stdio.h>

static union {
    volatile int halves[2];
    volatile char bytes[8];
} cell;

static void *worker(void *argument) {
    cell.halves[0] = 7;
    return argument;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, worker, NULL)) return 1;
    cell.bytes[4] = 1;
    cell.bytes[5] = 2;
    pthread_join(thread, NULL);
    printf("%d %d %d\n", cell.halves[0], cell.bytes[4], cell.bytes[5]);
    return 0;
}
