// _exit leaves at once: no handlers, and main's other threads go with it.
// EXIT: 5
// STDOUT: leaving
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void handler(void) { puts("never printed"); }

int main(void) {
    atexit(handler);
    puts("leaving");
    fflush(stdout);
    _exit(5);
}
