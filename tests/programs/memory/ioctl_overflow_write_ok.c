// FIONREAD counts the bytes in a pipe and writes an int where there is room for one.
// FLAGS: ASAN_OPTIONS=handle_ioctl=1
// STDOUT: 0
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

int main(void) {
    int ends[2];
    if (pipe(ends) != 0 || write(ends[1], "four", 4) != 4) return 1;
    int *waiting = malloc(sizeof *waiting);
    int status = ioctl(ends[0], FIONREAD, waiting);
    printf("%d\n", status);
    free(waiting);
    return 0;
}
