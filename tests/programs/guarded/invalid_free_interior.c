// A pointer that walked through a block is freed.
// SANITIZE: gwp-asan
// FLAGS: SCUDO_OPTIONS=GWP_ASAN_SampleRate=1:GWP_ASAN_MaxSimultaneousAllocations=128
#include <stdlib.h>

int main(void) {
    char *volatile cursor = malloc(64); // ALLOCATED
    for (int i = 0; i < 16; i++) {
        *cursor = (char)i;
        cursor = cursor + 1;
    }
    free(cursor); // EXPECT: Invalid (Wild) Free
    return 0;
}
