// What is written after a message is not ordered by it; nor by another pipe.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static int pipe_ends[2], value;

static void *sender(void *unused) {
    if (write(pipe_ends[1], "x", 1) != 1) {
        return NULL;
    }
    value = 1; // EXPECT: data race write
    return unused;
}

int main(void) {
    pthread_t thread;
    char letter;
    if (pipe(pipe_ends) != 0) {
        return 1;
    }
    pthread_create(&thread, NULL, sender, NULL);
    if (read(pipe_ends[0], &letter, 1) == 1) {
        printf("%d\n", value); // PREVIOUS: read
    }
    pthread_join(thread, NULL);
    return 0;
}
