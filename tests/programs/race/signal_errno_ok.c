// Handlers that keep errno; one that the program calls by raise may do what it likes.
// STDOUT: raised 2, kept 1
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>
static atomic_int handled;
static int kept;

static void on_signal(int number) {
    int before = errno;
    if (close(-number) != 0) handled = 1;
    errno = before;
}

static void on_raised(int number) {
    (void)number;
    errno = ENOENT;
}

static void *work(void *unused) {
    errno = EDOM;
    while (!handled) {
    }
    kept = errno == EDOM;
    return unused;
}

int main(void) {
    pthread_t thread;
    signal(SIGUSR1, on_signal);
    signal(SIGUSR2, on_raised);
    pthread_create(&thread, NULL, work, NULL);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
    errno = 0;
    raise(SIGUSR2);
    raise(SIGUSR2);
    printf("raised 2, kept %d\n", kept);
    return 0;
}
