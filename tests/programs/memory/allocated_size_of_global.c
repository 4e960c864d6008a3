// __sanitizer_get_allocated_size of a variable.
#include <stdio.h>
#include <stdlib.h>

size_t __sanitizer_get_allocated_size(const volatile void *);
static char text[40];

int main(void) {
    void *volatile place = text;
    printf("%zu\n", __sanitizer_get_allocated_size(place)); // EXPECT: bad-__sanitizer_get_allocated_size
    return text[0];
}
