// Each owner frees a block of its own; one is null.
// SANITIZE: gwp-asan
// FLAGS: SCUDO_OPTIONS=GWP_ASAN_SampleRate=1:GWP_ASAN_MaxSimultaneousAllocations=128
// EXIT: 0
#include <stdlib.h>

int main(void) {
    void *volatile first = malloc(50);
    void *volatile second = malloc(50);
    free(first);
    first = NULL;
    free(second);
    free(first);
    return 0;
}
