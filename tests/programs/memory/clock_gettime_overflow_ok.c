// clock_gettime writes 16 bytes to a block of 16.
// STDOUT: 0
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void) {
    struct timespec *now = malloc(sizeof *now);
    int status = clock_gettime(CLOCK_MONOTONIC, now);
    printf("%d\n", status);
    free(now);
    return 0;
}
