// NATIVE: skip at -O1 the shadow is read before it is set
// A program sets the shadow of its own memory, by the mapping it is told.
#include <stddef.h>
#include <stdlib.h>

void __asan_get_shadow_mapping(size_t *scale, size_t *offset);
void __asan_set_shadow_f8(size_t shadow, size_t size);

int main(void) {
    size_t scale, offset;
    volatile char *block = malloc(16);
    __asan_get_shadow_mapping(&scale, &offset);
    __asan_set_shadow_f8(((size_t)block >> scale) + offset, 1);
    block[8] = 1;
    block[7] = 1; // EXPECT: stack-use-after-scope write 1
    return 0;
}
