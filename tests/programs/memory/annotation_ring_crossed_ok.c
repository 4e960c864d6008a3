// The twin of annotation_ring_crossed.
// NATIVE: skip an ordinary build has no such function
// STDOUT: 0
#include <stdio.h>
#include <stdlib.h>
void __sanitizer_annotate_double_ended_contiguous_container(const void *, const void *,
    const void *, const void *, const void *, const void *);

#define ANNOTATE __sanitizer_annotate_double_ended_contiguous_container

int main(void) {
    char *ring = calloc(1, 64), *end = ring + 64;
    ANNOTATE(ring, end, ring, end, ring + 8, ring + 16);
    ANNOTATE(ring, end, ring + 8, ring + 16, ring, end);
    printf("%d\n", ring[0]);
    free(ring);
    return 0;
}
