// The twin of inet_pton_overflow.
// STDOUT: 1 1
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    unsigned char *address = malloc(sizeof(struct in6_addr));
    int done = inet_pton(AF_INET6, "::1", address);
    printf("%d %d\n", done, address[15]);
    free(address);
    return 0;
}
