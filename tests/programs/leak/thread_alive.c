// A thread that lives at the end has lost a block.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int is_lost;

static void lose(void) {
    volatile char *block = malloc(94); // EXPECT: direct-leak 94
    block[0] = 1;
}

static void *work(void *unused) {
    lose();
    __atomic_store_n(&is_lost, 1, __ATOMIC_RELEASE);
    pthread_mutex_lock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&lock);
    pthread_create(&thread, NULL, work, NULL);
    while (!__atomic_load_n(&is_lost, __ATOMIC_ACQUIRE)) usleep(10);
    exit(0);
}
