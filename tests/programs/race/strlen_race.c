// strlen walks a string that another thread shortens.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char name[] = "a name of some length";

static void *worker(void *argument) {
    volatile char *byte = &name[6];
    *byte = '\0'; // PREVIOUS: write 1
    return argument;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, worker, NULL)) return 1;
    size_t length = strlen(name); // EXPECT: data race read
    pthread_join(thread, NULL);
    printf("%d\n", length >= 6);
    return 0;
}
