// _exit, quick_exit and a signal end a program without a search.
// EXIT: 0
#include <stdlib.h>
#include <unistd.h>

static void lose(void) {
    volatile char *block = malloc(63);
    block[0] = 1;
}

int main(void) {
    lose();
    _exit(0);
}
