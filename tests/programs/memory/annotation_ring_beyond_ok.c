// The twin of annotation_ring_beyond.
// NATIVE: skip an ordinary build has no such function
// STDOUT: 0
#include <stdio.h>
#include <stdlib.h>
void __sanitizer_annotate_double_ended_contiguous_container(const void *, const void *,
    const void *, const void *, const void *, const void *);

int main(void) {
    char *ring = calloc(1, 64), *end = ring + 64;
    __sanitizer_annotate_double_ended_contiguous_container(ring, end, ring, end, ring + 8, end);
    __sanitizer_annotate_double_ended_contiguous_container(ring, end, ring + 8, end, ring, end);
    printf("%d\n", ring[0]);
    free(ring);
    return 0;
}
