#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    volatile int *block = malloc(40);
    free((void *)block);
    if (strchr(argv[1], 'b')) printf("%d\n", block[2]);
    puts("ready");
    fflush(stdout);
    volatile long n = 0;
    if (strchr(argv[1], 's'))
        for (;;) n++;
    return getchar();
}
