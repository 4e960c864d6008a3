// The search backwards ends at the first byte.
// SANITIZE: gwp-asan
// FLAGS: SCUDO_OPTIONS=GWP_ASAN_SampleRate=1:GWP_ASAN_MaxSimultaneousAllocations=128
// EXIT: 0
#include <stdlib.h>
#include <string.h>

static __attribute__((noinline)) int last_space(volatile char *text, int at) {
    while (at > 0 && text[at] != ' ') {
        at--;
    }
    return at;
}

int main(void) {
    char *text = malloc(4096);
    memset(text, 'x', 4096);
    int found = last_space(text, 4095);
    free(text);
    return found;
}
