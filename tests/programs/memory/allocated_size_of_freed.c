// __sanitizer_get_allocated_size of a block that is gone.
#include <stdio.h>
#include <stdlib.h>

size_t __sanitizer_get_allocated_size(const volatile void *);

int main(void) {
    void *volatile place = malloc(40);
    free(place);
    size_t n = __sanitizer_get_allocated_size(place); // EXPECT: bad-__sanitizer_get_allocated_size
    printf("%zu\n", n);
    return 0;
}
