// __sanitizer_get_allocated_size of a variable.
#include <stdio.h>
#include <stdlib.h>

size_t __sanitizer_get_allocated_size(const volatile void *);
static char text[40];

int main(void) {
    void *volatile place = text;
    size_t size_bytes =
        __sanitizer_get_allocated_size(place); // EXPECT: bad-__sanitizer_get_allocated_size
    printf("%zu\n", size_bytes);
    return text[0];
}
