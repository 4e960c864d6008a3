// The twin of rss_limit_hard: what is freed does not add up.
// FLAGS: ASAN_OPTIONS=hard_rss_limit_mb=200:quarantine_size_mb=8
// NATIVE: skip natively a thread looks at the size at its own times
// STDOUT: done
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    for (int i = 0; i < 30; i++) {
        char *volatile piece = malloc(8 << 20);
        memset(piece, 1, 8 << 20);
        free(piece);
    }
    puts("done");
    return 0;
}
