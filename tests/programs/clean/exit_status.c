// exit from a nested call, with a status of its own; the at-exit handlers run in reverse.
// EXIT: 3
// STDOUT: working
// STDOUT: second handler
// STDOUT: first handler
#include <stdio.h>
#include <stdlib.h>

static void first(void) { puts("first handler"); }
static void second(void) { puts("second handler"); }

static void work(int depth) {
    if (depth == 0) {
        puts("working");
        exit(3);
    }
    work(depth - 1);
}

int main(void) {
    atexit(first);
    atexit(second);
    work(4);
    return 0;
}
