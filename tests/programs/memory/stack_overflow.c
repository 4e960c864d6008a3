// Recursion without an end, with a large frame.
#include <stdio.h>

static int descend(int depth) { volatile char frame[8192]; frame[depth & 8191] = 1; return depth < 0 ? 0 : descend(depth + 1) + frame[7]; } // EXPECT: stack-overflow

int main(int argc, char **argv) {
    (void)argv;
    printf("%d\n", descend(argc));
    return 0;
}
