// The switch that ioctl reads is the last word of its block.
// FLAGS: ASAN_OPTIONS=handle_ioctl=1
// STDOUT: 0
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
    int plug = socket(AF_UNIX, SOCK_DGRAM, 0);
    int *switches = calloc(2, sizeof *switches);
    int status = ioctl(plug, FIONBIO, switches + 1);
    printf("%d\n", status);
    free(switches);
    return close(plug);
}
