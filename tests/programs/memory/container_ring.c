// A ring buffer is written before its first element.
#include <stdio.h>
#include <stdlib.h>
void __sanitizer_annotate_double_ended_contiguous_container(const void *, const void *,
    const void *, const void *, const void *, const void *);

int main(int argc, char **argv) {
    (void)argv;
    char *ring = calloc(1, 64); // ALLOCATED
    char *end = ring + 64;
    __sanitizer_annotate_double_ended_contiguous_container(ring, end, ring, end, ring + 16, end);
    ((volatile char *)ring)[13 + argc] = 1; // EXPECT: container-overflow write 1
    __sanitizer_annotate_double_ended_contiguous_container(ring, end, ring + 16, end, ring, end);
    printf("%d\n", ring[15 + argc]);
    free(ring);
    return 0;
}
