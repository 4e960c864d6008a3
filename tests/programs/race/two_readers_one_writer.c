// Two readers keep the value; the writer conflicts with whichever it was not ordered with.
#include <pthread.h>
#include <stdio.h>

static volatile long value;

static void *reader(void *argument) {
    *(long *)argument = value; // PREVIOUS: read 8
    return NULL;
}

int main(void) {
    pthread_t first, second;
    long seen[2] = {0, 0};
    if (pthread_create(&first, NULL, reader, &seen[0])) return 1;
    if (pthread_create(&second, NULL, reader, &seen[1])) return 1;
    pthread_join(second, NULL);
    value = 1; // EXPECT: data race write 8
    pthread_join(first, NULL);
    printf("%ld\n", seen[1]);
    return 0;
}
