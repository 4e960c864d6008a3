// Threads make system calls until another one has slept: that takes no longer than natively.
// STDOUT: stopped
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
enum { WORKERS = 3 };
static volatile int stop;

static void *work(void *argument) {
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
        for (int i = 0; i < 100; i++) close(open("/dev/null", O_RDONLY));
    }
    return argument;
}

int main(void) {
    pthread_t threads[WORKERS];
    for (int i = 0; i < WORKERS; i++) pthread_create(&threads[i], NULL, work, NULL);
    sleep(1);
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < WORKERS; i++) pthread_join(threads[i], NULL);
    puts("stopped");
    return 0;
}
