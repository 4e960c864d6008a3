// The second of two pieces is announced larger than it is.
// STDIN: 0123456789
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>

int main(void) {
    char *head = malloc(4);
    char *tail = malloc(4); // ALLOCATED
    struct iovec pieces[] = {{head, 4}, {tail, 6}};
    ssize_t n_bytes = readv(0, pieces, 2); // EXPECT: heap-buffer-overflow write 6
    printf("%zd\n", n_bytes);
    free(tail);
    free(head);
    return 0;
}
