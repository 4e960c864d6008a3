// The twin of memmove_overflow_read: one element fewer is moved, and overlap is memmove's job.
// STDOUT: 1 7
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    size_t count = 7 + (size_t)argc;
    int *queue = calloc(count, sizeof *queue);
    if (!queue) return 1;
    for (size_t i = 0; i < count; i++) queue[i] = (int)i;
    memmove(queue, queue + 1, (count - 1) * sizeof *queue);
    printf("%d %d\n", queue[0], queue[count - 2]);
    free(queue);
    return 0;
}
