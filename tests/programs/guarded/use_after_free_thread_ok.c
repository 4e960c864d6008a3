// One thread frees what another one has read.
// SANITIZE: gwp-asan
// FLAGS: SCUDO_OPTIONS=GWP_ASAN_SampleRate=1:GWP_ASAN_MaxSimultaneousAllocations=128
// EXIT: 0
#include <pthread.h>
#include <stdlib.h>

static void *drop(void *block) {
    free(block);
    return NULL;
}

int main(void) {
    volatile int *block = malloc(400);
    pthread_t thread;
    block[7] = 7;
    int seen = block[7];
    pthread_create(&thread, NULL, drop, (void *)block);
    pthread_join(thread, NULL);
    return seen - 7;
}
