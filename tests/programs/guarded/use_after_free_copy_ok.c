// memcpy reads the message before it is freed.
// SANITIZE: gwp-asan
// FLAGS: SCUDO_OPTIONS=GWP_ASAN_SampleRate=1:GWP_ASAN_MaxSimultaneousAllocations=128
// EXIT: 0
#include <stdlib.h>
#include <string.h>

static volatile size_t length = 700;
char copy[1000];

int main(void) {
    char *volatile message = malloc(length);
    memset(message, 'm', length);
    memcpy(copy, message, length);
    free(message);
    return length == 0;
}
