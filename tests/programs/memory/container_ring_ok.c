// The twin of container_ring.
// NATIVE: skip an ordinary build has no such function
// STDOUT: 1
#include <stdio.h>
#include <stdlib.h>
void __sanitizer_annotate_double_ended_contiguous_container(const void *, const void *,
    const void *, const void *, const void *, const void *);

int main(int argc, char **argv) {
    (void)argv;
    char *ring = calloc(1, 64);
    char *end = ring + 64;
    __sanitizer_annotate_double_ended_contiguous_container(ring, end, ring, end, ring + 16, end);
    ((volatile char *)ring)[15 + argc] = 1;
    __sanitizer_annotate_double_ended_contiguous_container(ring, end, ring + 16, end, ring, end);
    printf("%d\n", ring[15 + argc]);
    free(ring);
    return 0;
}
