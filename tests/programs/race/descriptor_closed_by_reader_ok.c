// Whoever reads the last message closes both ends: the writer does not use them any more.
// STDOUT: done
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static int pipe_ends[2];

static void *reader(void *unused) {
    char letter;
    while (read(pipe_ends[0], &letter, 1) != 1) {
    }
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    return unused;
}

int main(void) {
    pthread_t thread;
    if (pipe(pipe_ends) != 0) {
        return 1;
    }
    pthread_create(&thread, NULL, reader, NULL);
    if (write(pipe_ends[1], "x", 1) != 1) {
        return 1;
    }
    pthread_join(thread, NULL);
    puts("done");
    return 0;
}
