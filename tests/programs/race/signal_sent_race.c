// pthread_kill orders nothing: the handler reads what the sender has written since it was started.
// NATIVE: false-alarm what the report itself does to errno is taken for the handler's doing there
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>
static volatile int message;
static atomic_int handled;

static void on_signal(int number) {
    int seen = message; // EXPECT: data race 4
    atomic_store_explicit(&handled, seen + number, memory_order_relaxed);
}

static void *work(void *unused) {
    while (!atomic_load_explicit(&handled, memory_order_relaxed)) usleep(10);
    return unused;
}

int main(void) {
    pthread_t thread;
    signal(SIGUSR1, on_signal);
    pthread_create(&thread, NULL, work, NULL);
    message = 42; // PREVIOUS: write 4
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
    puts("done");
    return 0;
}
