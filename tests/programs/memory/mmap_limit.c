// The heap outgrows mmap_limit_mb.
// FLAGS: ASAN_OPTIONS=mmap_limit_mb=100
// NATIVE: skip natively the process is killed by a failed check of the runtime, without a report
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    for (int i = 0; i < 30; i++) {
        char *volatile piece = malloc(8 << 20); // EXPECT: mmap-limit-exceeded
        piece[0] = 1;
    }
    puts("done");
    return 0;
}
