// The twin of two_readers_one_writer: both readers are joined first.
// STDOUT: 0 0 1
#include <pthread.h>
#include <stdio.h>

static volatile long value;

static void *reader(void *argument) {
    *(long *)argument = value;
    return NULL;
}

int main(void) {
    pthread_t first, second;
    long seen[2] = {0, 0};
    if (pthread_create(&first, NULL, reader, &seen[0])) return 1;
    if (pthread_create(&second, NULL, reader, &seen[1])) return 1;
    pthread_join(second, NULL);
    pthread_join(first, NULL);
    value = 1;
    printf("%ld %ld %ld\n", seen[0], seen[1], value);
    return 0;
}
