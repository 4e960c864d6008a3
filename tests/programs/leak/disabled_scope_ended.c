// A scope ends where it ends, and it is of one thread.
#include <pthread.h>
#include <stdlib.h>

void __lsan_disable(void);
void __lsan_enable(void);

static void *work(void *unused) {
    volatile char *block = malloc(72); // EXPECT: direct-leak 72
    block[0] = 1;
    return unused;
}

static void lose(void) {
    volatile char *block = malloc(73); // EXPECT: direct-leak 73
    block[0] = 1;
}

int main(void) {
    pthread_t thread;
    __lsan_disable();
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    __lsan_enable();
    lose();
    return 0;
}
