// clock_gettime writes 16 bytes to a block of 8.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void) {
    time_t *seconds = malloc(sizeof *seconds); // ALLOCATED
    struct timespec *now = (struct timespec *)seconds;
    int status = clock_gettime(CLOCK_MONOTONIC, now); // EXPECT: heap-buffer-overflow write 16
    printf("%d\n", status);
    free(seconds);
    return 0;
}
