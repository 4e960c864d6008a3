// The heap stays below mmap_limit_mb, as blocks that the quarantine cannot hold go back.
// FLAGS: ASAN_OPTIONS=mmap_limit_mb=100:quarantine_size_mb=1
// NATIVE: skip natively the process is killed by a failed check of the runtime, without a report
// STDOUT: done
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    for (int i = 0; i < 30; i++) {
        char *volatile piece = malloc(8 << 20);
        piece[0] = 1;
        free(piece);
    }
    puts("done");
    return 0;
}
