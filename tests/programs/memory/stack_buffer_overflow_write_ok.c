// A loop that fills the array, and not more.
// STDOUT: x
#include <stdio.h>

__attribute__((noinline)) static void fill(char *block, int count) {
    for (volatile int i = 0; i < count; i++)
        block[i] = 'x';
}

int main(int argc, char **argv) {
    (void)argv;
    char buffer[10];
    fill(buffer, argc + 9);
    printf("%c\n", buffer[argc]);
    return 0;
}
