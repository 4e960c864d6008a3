// A handler writes to the pipe that its thread selects on: the handler's calls are no part of the
// wait.
// STDOUT: 20 bytes
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/select.h>
#include <unistd.h>
static int ends[2];

static void on_signal(int number) {
    (void)number;
    if (write(ends[1], "x", 1) != 1) _exit(1);
}

static void *work(void *n_bytes) {
    for (int i = 0; i < 1000; i++) {
        struct timeval soon = {0, 1000};
        fd_set set;
        FD_ZERO(&set);
        FD_SET(ends[0], &set);
        if (select(ends[0] + 1, &set, NULL, NULL, &soon) > 0) {
            char byte;
            *(int *)n_bytes += (int)read(ends[0], &byte, 1);
            break;
        }
    }
    return NULL;
}

int main(void) {
    int n_bytes = 0;
    struct sigaction action = {0};
    action.sa_handler = on_signal;
    if (pipe(ends) != 0 || sigaction(SIGUSR1, &action, NULL) != 0) return 1;
    for (int i = 0; i < 20; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, work, &n_bytes);
        pthread_kill(thread, SIGUSR1);
        pthread_join(thread, NULL);
    }
    printf("%d bytes\n", n_bytes);
    return 0;
}
