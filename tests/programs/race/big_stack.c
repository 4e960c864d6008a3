// A thread with a stack of 200 MiB lends a variable of it, far down, and does not wait.
// ONLY: -O0 -O1 variables may share a place
#include <pthread.h>
#include <stdio.h>

static void *reader(void *argument) {
    volatile int *lent = argument;
    return (void *)(long)*lent; // PREVIOUS: read 4
}

static void *owner(void *argument) {
    volatile char room[64 << 20];
    volatile int value = 1;
    pthread_t thread;
    room[argument != NULL] = 1;
    if (pthread_create(&thread, NULL, reader, (void *)&value)) return NULL;
    value = room[0]; // EXPECT: data race write 4
    pthread_join(thread, NULL);
    return NULL;
}

int main(void) {
    pthread_attr_t large;
    pthread_t thread;
    pthread_attr_init(&large);
    pthread_attr_setstacksize(&large, 200u << 20);
    if (pthread_create(&thread, &large, owner, NULL)) return 1;
    pthread_join(thread, NULL);
    puts("done");
    return 0;
}
