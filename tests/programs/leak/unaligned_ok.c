// A pointer in a packed structure counts when unaligned words are asked for.
// FLAGS: LSAN_OPTIONS=use_unaligned=1
// EXIT: 0
#include <stdlib.h>

struct __attribute__((packed)) packed {
    char tag;
    void *volatile block;
};

static struct packed kept;

static void fill(void) {
    volatile char *block = malloc(84);
    block[0] = 1;
    kept.block = (void *)block;
}

int main(void) {
    fill();
    return kept.tag;
}
