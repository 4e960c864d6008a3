// A block of no bytes counts for one.
#include <stdlib.h>

static __attribute__((noinline)) void *make(void) {
    void *volatile block = malloc(0); // EXPECT: direct-leak 1
    return block;
}

int main(void) {
    void *volatile block = make();
    block = NULL;
    return block != NULL;
}
