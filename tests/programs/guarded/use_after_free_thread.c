// One thread frees what another one still reads; the join orders them.
// SANITIZE: gwp-asan
// FLAGS: SCUDO_OPTIONS=GWP_ASAN_SampleRate=1:GWP_ASAN_MaxSimultaneousAllocations=128
#include <pthread.h>
#include <stdlib.h>

static void *drop(void *block) {
    free(block); // FREED
    return NULL;
}

int main(void) {
    volatile int *block = malloc(400); // ALLOCATED
    pthread_t thread;
    block[7] = 7;
    pthread_create(&thread, NULL, drop, (void *)block);
    pthread_join(thread, NULL);
    return block[7]; // EXPECT: Use After Free read 4
}
