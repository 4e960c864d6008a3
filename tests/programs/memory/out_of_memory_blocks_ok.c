// The twin of out_of_memory_blocks: freed blocks make room again.
// FLAGS: ASAN_OPTIONS=quarantine_size_mb=1
// NATIVE: skip where memory ends depends on the machine
// STDOUT: done
#include <stdio.h>
#include <stdlib.h>

static void *volatile kept;

int main(void) {
    for (int i = 0; i < 8; i++) {
        kept = malloc((size_t)1 << 30);
        free(kept);
    }
    puts("done");
    return 0;
}
