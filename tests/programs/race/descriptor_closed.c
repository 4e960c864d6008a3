// A descriptor is closed while another thread may still write to it.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static int pipe_ends[2];

static void *writer(void *unused) {
    ssize_t n_written = write(pipe_ends[1], "x", 1); // PREVIOUS: read 8
    return n_written == 1 ? unused : NULL;
}

int main(void) {
    pthread_t thread;
    if (pipe(pipe_ends) != 0) {
        return 1;
    }
    pthread_create(&thread, NULL, writer, NULL);
    sleep(1);
    close(pipe_ends[1]); // EXPECT: data race write 8
    pthread_join(thread, NULL);
    puts("done");
    return 0;
}
