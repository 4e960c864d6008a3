// One thread spins for ever while the main thread waits for its children.
// STDOUT: 3 children
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static atomic_int counter;

static void *spin(void *unused) {
    for (;;) atomic_fetch_add(&counter, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    int n_ended = 0;
    pthread_create(&thread, NULL, spin, NULL);
    for (int i = 0; i < 3; i++) {
        pid_t child = fork();
        if (child == 0) {
            kill(getpid(), SIGKILL);
            for (;;) {}
        }
        n_ended += waitpid(child, NULL, 0) == child;
    }
    printf("%d children\n", n_ended);
    return 0;
}
