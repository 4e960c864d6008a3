// The twin of allocated_size_of_freed.
// NATIVE: skip an ordinary build has no such function
// STDOUT: 40
#include <stdio.h>
#include <stdlib.h>

size_t __sanitizer_get_allocated_size(const volatile void *);

int main(void) {
    void *volatile place = malloc(40);
    size_t n = __sanitizer_get_allocated_size(place);
    printf("%zu\n", n);
    free(place);
    return 0;
}
