// memcpy to an address of nobody, between the stacks.
#include <stdio.h>
#include <string.h>

static volatile long drawn = 0x2fac0000;

int main(int argc, char **argv) {
    (void)argv;
    char text[16] = "fifteen letters";
    memcpy((char *)(drawn * 4), text, (size_t)argc * 8); // EXPECT: SEGV write
    puts("not reached");
    return 0;
}
