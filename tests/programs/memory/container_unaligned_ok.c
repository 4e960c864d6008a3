// EXIT: 0
// NATIVE: skip the interface comes with the address run-time, other builds have none
// Storage that begins and ends inside of eight bytes: what was said is what is found.
#include <stddef.h>
#include <stdlib.h>

void __sanitizer_annotate_contiguous_container(const void *, const void *, const void *,
                                               const void *);
const void *__sanitizer_contiguous_container_find_bad_address(const void *, const void *,
                                                              const void *);

int main(void) {
    int n_bad = 0;
    for (int offset = 0; offset < 8; offset++) {
        for (int capacity = 0; capacity < 40; capacity++) {
            char *block = malloc(128), *begin = block + offset, *end = begin + capacity;
            char *middle = end;
            for (int used = capacity; used >= 0; used--) {
                __sanitizer_annotate_contiguous_container(begin, end, middle, begin + used);
                middle = begin + used;
                n_bad += __sanitizer_contiguous_container_find_bad_address(begin, middle, end) != 0;
                n_bad += used > 0 && capacity > used + 8 &&
                         __sanitizer_contiguous_container_find_bad_address(begin, begin, end)
                             != begin;
            }
            __sanitizer_annotate_contiguous_container(begin, end, middle, end);
            free(block);
        }
    }
    return n_bad != 0;
}
