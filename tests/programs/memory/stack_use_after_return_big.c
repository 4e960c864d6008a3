// The same with a frame that is larger than any of the native tool's fake frames.
// NATIVE: miss its fake frames end at 64 KiB
#include <stdio.h>
#include <string.h>

static char *volatile kept;

__attribute__((noinline)) static void keep(int value) {
    char large[200000];
    memset(large, value, sizeof large);
    kept = large;
}

int main(int argc, char **argv) {
    (void)argv;
    keep(argc);
    kept[100000] = 1; // EXPECT: stack-use-after-return write 1
    return 0;
}
