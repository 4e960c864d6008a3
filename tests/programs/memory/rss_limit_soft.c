// More memory is touched than soft_rss_limit_mb allows.
// FLAGS: ASAN_OPTIONS=soft_rss_limit_mb=100
// NATIVE: skip natively a thread looks at the size at its own times
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    for (int i = 0; i < 30; i++) {
        char *volatile piece = malloc(8 << 20); // EXPECT: rss-limit-exceeded
        memset(piece, 1, 8 << 20);
    }
    puts("done");
    return 0;
}
