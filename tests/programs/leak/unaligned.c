// A pointer in a packed structure lies at an odd address, where none is looked for.
#include <stdlib.h>

struct __attribute__((packed)) packed {
    char tag;
    void *volatile block;
};

static struct packed kept;

static void fill(void) {
    volatile char *block = malloc(84); // EXPECT: direct-leak 84
    block[0] = 1;
    kept.block = (void *)block;
}

int main(void) {
    fill();
    return kept.tag;
}
