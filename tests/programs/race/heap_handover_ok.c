// Allocated in one thread, filled in a second, freed in main: joins hand the block over.
// STDOUT: 0 1 2 3
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *allocate(void *argument) {
    (void)argument;
    return calloc(4, sizeof(int));
}

static void *fill(void *argument) {
    int *numbers = argument;
    for (int i = 0; i < 4; i++) numbers[i] = i;
    return numbers;
}

int main(void) {
    pthread_t thread;
    void *block = NULL;
    if (pthread_create(&thread, NULL, allocate, NULL)) return 1;
    pthread_join(thread, &block);
    if (!block || pthread_create(&thread, NULL, fill, block)) return 1;
    pthread_join(thread, &block);
    int *numbers = block;
    printf("%d %d %d %d\n", numbers[0], numbers[1], numbers[2], numbers[3]);
    free(numbers);
    return 0;
}
