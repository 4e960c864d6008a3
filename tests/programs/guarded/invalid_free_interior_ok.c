// The pointer that walked goes back before it is freed.
// SANITIZE: gwp-asan
// FLAGS: SCUDO_OPTIONS=GWP_ASAN_SampleRate=1:GWP_ASAN_MaxSimultaneousAllocations=128
// EXIT: 0
#include <stdlib.h>

int main(void) {
    char *volatile cursor = malloc(64);
    for (int i = 0; i < 16; i++) {
        *cursor = (char)i;
        cursor = cursor + 1;
    }
    free(cursor - 16);
    return 0;
}
