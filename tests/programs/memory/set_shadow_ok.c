// EXIT: 0
// NATIVE: skip the interface comes with the address run-time, other builds have none
// Shadow that is set to zero again, or to the number of bytes in use, is no obstacle to them.
#include <stddef.h>
#include <stdlib.h>

void __asan_get_shadow_mapping(size_t *scale, size_t *offset);
void __asan_set_shadow_00(size_t shadow, size_t size);
void __asan_set_shadow_05(size_t shadow, size_t size);
void __asan_set_shadow_f8(size_t shadow, size_t size);

int main(void) {
    size_t scale, offset;
    volatile char *block = malloc(16);
    __asan_get_shadow_mapping(&scale, &offset);
    size_t shadow = ((size_t)block >> scale) + offset;
    __asan_set_shadow_f8(shadow, 2);
    __asan_set_shadow_00(shadow, 1);
    __asan_set_shadow_05(shadow + 1, 1);
    block[7] = block[12] = 1;
    __asan_set_shadow_00(shadow, 2);
    free((void *)block);
    return 0;
}
