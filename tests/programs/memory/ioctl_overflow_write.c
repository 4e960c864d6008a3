// FIONREAD counts the bytes in a pipe and writes an int; there is room for a short.
// FLAGS: ASAN_OPTIONS=handle_ioctl=1
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

int main(void) {
    int ends[2];
    if (pipe(ends) != 0 || write(ends[1], "four", 4) != 4) return 1;
    short *waiting = malloc(sizeof *waiting);   // ALLOCATED
    int status = ioctl(ends[0], FIONREAD, waiting); // EXPECT: heap-buffer-overflow write 4
    printf("%d\n", status);
    free(waiting);
    return 0;
}
