// Two functions call each other without an end.
#include <stdio.h>

static int odd(int depth, int limit);
static __attribute__((noinline)) int even(int depth, int limit) { volatile char frame[4096]; frame[depth & 4095] = 1; return depth == limit ? 0 : odd(depth + 1, limit) + frame[depth & 4095]; } static __attribute__((noinline)) int odd(int depth, int limit) { return even(depth, limit) + (depth < 0); } // EXPECT: stack-overflow

int main(int argc, char **argv) {
    (void)argv;
    printf("%d\n", even(0, -argc));
    return 0;
}
