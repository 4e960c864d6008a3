// The copies lie below the frame that calls exit.
#include <stdlib.h>

static int lose(void) {
    void *volatile slots[20000];
    volatile char *block = malloc(51); // EXPECT: direct-leak 51
    block[0] = 1;
    for (int i = 0; i < 20000; i++) slots[i] = (void *)block;
    return slots[7] == NULL;
}

int main(void) {
    exit(lose());
}
