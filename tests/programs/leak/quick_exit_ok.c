// quick_exit ends a program without a search.
// EXIT: 0
#include <stdlib.h>

static void lose(void) {
    volatile char *block = malloc(64);
    block[0] = 1;
}

int main(void) {
    lose();
    quick_exit(0);
}
