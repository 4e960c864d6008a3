// The switch that ioctl reads lies behind the end of its block.
// FLAGS: ASAN_OPTIONS=handle_ioctl=1
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
    int plug = socket(AF_UNIX, SOCK_DGRAM, 0);
    int *switches = calloc(2, sizeof *switches);    // ALLOCATED
    int status = ioctl(plug, FIONBIO, switches + 2); // EXPECT: heap-buffer-overflow read 4
    printf("%d\n", status);
    free(switches);
    return close(plug);
}
