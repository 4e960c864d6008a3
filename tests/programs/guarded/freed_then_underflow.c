// SANITIZE: gwp-asan
// FLAGS: SCUDO_OPTIONS=GWP_ASAN_SampleRate=1:GWP_ASAN_MaxSimultaneousAllocations=128
// Before the start of a freed block, in the page that guards it: still a use after the free.
#include <stdlib.h>

volatile char *volatile block;

int main(void) {
    block = malloc(4096); // ALLOCATED
    block[0] = 1;
    free((void *)block);  // FREED
    return block[-1];     // EXPECT: Use After Free read 1
}
