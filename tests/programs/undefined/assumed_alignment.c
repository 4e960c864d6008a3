// Alignments that the program has promised to the compiler.
#include <stddef.h>

char bytes[64] __attribute__((aligned(64)));
volatile int eight = 8;
volatile size_t sink;

static char *from_pool(int at) __attribute__((assume_aligned(32), noinline));
static char *from_pool(int at) { return bytes + at; }

int main(void) {
    char *place = __builtin_assume_aligned(bytes + eight, 16); // EXPECT: alignment-assumption
    sink = (size_t)place;
    sink = (size_t)from_pool(eight); // EXPECT: alignment-assumption
    return 0;
}
