// A thread-local keeps a block alive as long as its thread lives.
#include <pthread.h>
#include <stdlib.h>

static _Thread_local volatile char *own;

static void *work(void *unused) {
    own = malloc(33); // EXPECT: direct-leak 33
    own[0] = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    own = malloc(34);
    own[0] = 1;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
