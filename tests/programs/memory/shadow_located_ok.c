// EXIT: 0
// NATIVE: skip the interface comes with the address run-time, other builds have none
// Addresses of the shadow are known as such; those of the shadow's own shadow are the gap.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void __asan_get_shadow_mapping(size_t *scale, size_t *offset);
const char *__asan_locate_address(void *, char *, size_t, void **, size_t *);

int main(void) {
    size_t scale, offset;
    __asan_get_shadow_mapping(&scale, &offset);
    char *block = malloc(10);
    size_t shadow = ((size_t)block >> scale) + offset, gap = (shadow >> scale) + offset;
    const char *first = __asan_locate_address((void *)shadow, NULL, 0, NULL, NULL);
    const char *second = __asan_locate_address((void *)gap, NULL, 0, NULL, NULL);
    int is_known = strstr(first, "shadow") != NULL && strcmp(second, "shadow gap") == 0;
    free(block);
    return !is_known;
}
