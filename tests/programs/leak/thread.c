// A thread loses a block; it has ended when the program does.
#include <pthread.h>
#include <stdlib.h>

static void *work(void *unused) {
    volatile char *block = malloc(31); // EXPECT: direct-leak 31
    block[0] = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
