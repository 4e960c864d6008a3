// An address of version 6 goes where there is room for one of version 4.
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    unsigned char *address = malloc(sizeof(struct in_addr)); // ALLOCATED
    int done = inet_pton(AF_INET6, "::1", address); // EXPECT: heap-buffer-overflow write 16
    printf("%d %d\n", done, address[3] + 1);
    free(address);
    return 0;
}
