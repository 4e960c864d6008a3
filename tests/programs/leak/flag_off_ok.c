// No leaks are looked for when the flag says so.
// FLAGS: ASAN_OPTIONS=detect_leaks=0
// EXIT: 0
#include <stdlib.h>

static void lose(void) {
    volatile char *block = malloc(97);
    block[0] = 1;
}

int main(void) {
    lose();
    return 0;
}
