// Descriptors are closed after their users have been joined, and their numbers used again.
// STDOUT: done
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *writer(void *end) {
    ssize_t n_written = write(*(int *)end, "x", 1);
    return n_written == 1 ? end : NULL;
}

int main(void) {
    for (int i = 0; i < 3; i++) {
        int pipe_ends[2];
        pthread_t thread;
        if (pipe(pipe_ends) != 0) {
            return 1;
        }
        pthread_create(&thread, NULL, writer, &pipe_ends[1]);
        pthread_join(thread, NULL);
        close(pipe_ends[0]);
        close(pipe_ends[1]);
    }
    puts("done");
    return 0;
}
