// The same without a bug; nobody may not come back.
// STDOUT: done
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    char *block = malloc(10);
    int is_root = geteuid() == 0;
    if (is_root && (chroot("/tmp") || setgid(65534) || setuid(65534))) return 1;
    if (is_root && (setuid(0) == 0 || getuid() != 65534)) return 2;
    block[3] = 0;
    puts(block[3] ? "" : "done");
    free(block);
    return 0;
}
