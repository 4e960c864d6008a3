// Addresses that are no multiple of what the type asks for: read, written, and of a member.
#include <string.h>

struct pair {
    int first, second;
};

char bytes[64] __attribute__((aligned(16)));
volatile int one = 1, sink;

int main(void) {
    int *number = (int *)(bytes + one);
    sink = *number; // EXPECT: misaligned-pointer-use
    *number = 3; // EXPECT: misaligned-pointer-use
    struct pair *pair = (struct pair *)(bytes + 2 * one);
    sink = pair->second; // EXPECT: misaligned-pointer-use
    double *real = (double *)(bytes + 4 * one);
    sink = *real > 0; // EXPECT: misaligned-pointer-use
    return 0;
}
