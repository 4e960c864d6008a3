// memmove shifts an array left and reads one element past its end.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    size_t count = 7 + (size_t)argc;
    int *queue = calloc(count, sizeof *queue); // ALLOCATED
    if (!queue) return 1;
    memmove(queue, queue + 1, count * sizeof *queue); // EXPECT: heap-buffer-overflow read 32
    printf("%d\n", queue[0]);
    free(queue);
    return 0;
}
