// Promises that are kept, one of them with an offset.
// EXIT: 0
#include <stddef.h>

char bytes[64] __attribute__((aligned(64)));
volatile int eight = 8;
volatile size_t sink;

static char *from_pool(int at) __attribute__((assume_aligned(32), noinline));
static char *from_pool(int at) { return bytes + 4 * at; }

int main(void) {
    char *place = __builtin_assume_aligned(bytes + 2 * eight, 16);
    sink = (size_t)place;
    place = __builtin_assume_aligned(bytes + eight + 4, 16, 12);
    sink = (size_t)place;
    sink = (size_t)from_pool(eight);
    return 0;
}
