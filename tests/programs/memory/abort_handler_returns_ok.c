// A handler of SIGABRT that leaves by a jump, and one that ends the program: nothing is found.
// STDOUT: back 1
// STDOUT: back 2
// STDOUT: leaving
// EXIT: 3
#undef NDEBUG
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static sigjmp_buf place;

static void jump(int number) {
    (void)number;
    siglongjmp(place, 1);
}

static void leave(int number) {
    (void)number;
    (void)!write(1, "leaving\n", 8);
    _exit(3);
}

int main(int argc, char **argv) {
    (void)argv;
    signal(SIGABRT, jump);
    if (!sigsetjmp(place, 1)) assert(argc > 7);
    puts("back 1");
    if (!sigsetjmp(place, 1)) abort();
    puts("back 2");
    fflush(stdout);
    signal(SIGABRT, leave);
    abort();
}
