// The twin of allocated_size_of_global.
// NATIVE: skip an ordinary build has no such function
// STDOUT: 40
#include <stdio.h>
#include <stdlib.h>

size_t __sanitizer_get_allocated_size(const volatile void *);
static char text[40];

int main(void) {
    void *volatile place = malloc(40);
    printf("%zu\n", __sanitizer_get_allocated_size(place));
    free(place);
    return text[0];
}
