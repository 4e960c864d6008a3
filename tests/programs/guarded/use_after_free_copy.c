// memcpy reads a message that was freed.
// SANITIZE: gwp-asan
// FLAGS: SCUDO_OPTIONS=GWP_ASAN_SampleRate=1:GWP_ASAN_MaxSimultaneousAllocations=128
#include <stdlib.h>
#include <string.h>

static volatile size_t length = 700;
char copy[1000];

int main(void) {
    char *volatile message = malloc(length); // ALLOCATED
    memset(message, 'm', length);
    free(message); // FREED
    memcpy(copy, message, length); // EXPECT: Use After Free
    return length == 0;
}
