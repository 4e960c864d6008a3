// The twin of readv_overflow: pieces of their true sizes, and one that is larger than what comes.
// STDIN: 0123456789
// STDOUT: 11 0123 456789
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void) {
    char *head = malloc(4);
    char *tail = malloc(7);
    struct iovec pieces[] = {{head, 4}, {NULL, 0}, {tail, 9000}};
    ssize_t n_bytes = readv(STDIN_FILENO, pieces, 3);
    printf("%zd %.4s %.6s\n", n_bytes, head, tail);
    free(tail);
    free(head);
    return 0;
}
