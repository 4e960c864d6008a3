// process_vm_readv copies eight bytes of this very process to a block of eight.
// STDOUT: 8
#define _GNU_SOURCE 1
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void) {
    char source[8] = "1234567";
    char *target = malloc(8);
    struct iovec own = {target, 8}, other = {source, 8};
    pid_t me = getpid();
    ssize_t n_bytes = process_vm_readv(me, &own, 1, &other, 1, 0);
    printf("%zd\n", n_bytes);
    free(target);
    return 0;
}
