// Two owners free one block.
// SANITIZE: gwp-asan
// FLAGS: SCUDO_OPTIONS=GWP_ASAN_SampleRate=1:GWP_ASAN_MaxSimultaneousAllocations=128
#include <stdlib.h>

int main(void) {
    void *volatile first = malloc(50); // ALLOCATED
    void *volatile second = first;
    free(first); // FREED
    first = NULL;
    free(second); // EXPECT: Double Free
    return 0;
}
