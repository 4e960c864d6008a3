// Five blocks of one line are one leak; the program's own status does not count any more.
#include <stdlib.h>

static void lose(void) {
    volatile char *block = malloc(16); // EXPECT: direct-leak 80
    block[0] = 1;
}

int main(void) {
    for (volatile int i = 0; i < 5; i++) lose();
    return 3;
}
