// One thread writes eight bytes, the other reads one byte in their middle.
#include <pthread.h>
#include <stdio.h>

static union {
    volatile long whole;
    volatile char bytes[8];
} cell;

static void *worker(void *argument) {
    cell.whole = -1; // PREVIOUS: write 8
    return argument;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, worker, NULL)) return 1;
    char middle = cell.bytes[5]; // EXPECT: data race read 1
    pthread_join(thread, NULL);
    printf("%d\n", middle <= 0);
    return 0;
}
