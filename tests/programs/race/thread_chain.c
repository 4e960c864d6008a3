// Main creates a thread, which creates another one: the grandchild races with main.
#include <pthread.h>
#include <stdio.h>

static volatile int shared;

static void *grandchild(void *argument) {
    shared = 1; // PREVIOUS: write 4
    return argument;
}

static void *child(void *argument) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, grandchild, NULL)) return NULL; // THREAD-CREATED
    pthread_join(thread, NULL);
    return argument;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, child, NULL)) return 1;
    shared = 2; // EXPECT: data race write 4
    pthread_join(thread, NULL);
    printf("%d\n", shared > 0);
    return 0;
}
