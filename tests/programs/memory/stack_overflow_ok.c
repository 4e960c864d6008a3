// The twin of stack_overflow: deep, but it ends and fits.
// STDOUT: 100
#include <stdio.h>

static int descend(int depth) {
    volatile char frame[8192];
    frame[depth & 8191] = 1;
    return depth >= 100 ? 0 : descend(depth + 1) + frame[depth & 8191];
}

int main(int argc, char **argv) {
    (void)argv;
    printf("%d\n", descend(argc - 1));
    return 0;
}
