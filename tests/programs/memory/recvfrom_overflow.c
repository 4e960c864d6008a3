// The address of the sender is larger than the place for it.
// NATIVE: miss the address that recvfrom writes is not looked at
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

int main(void) {
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n_own = sizeof own, n_peer = sizeof own;
    int in = socket(AF_INET, SOCK_DGRAM, 0), out = socket(AF_INET, SOCK_DGRAM, 0);
    bind(in, (struct sockaddr *)&own, n_own);
    getsockname(in, (struct sockaddr *)&own, &n_own);
    sendto(out, "hi", 2, 0, (struct sockaddr *)&own, n_own);
    char got[2];
    struct sockaddr *peer = malloc(8); // ALLOCATED
    int n_got = (int)recvfrom( // EXPECT: heap-buffer-overflow write 16
        in, got, 2, 0, peer, &n_peer);
    printf("%d %d\n", n_got, peer->sa_family);
    free(peer);
    return 0;
}
