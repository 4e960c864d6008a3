// A loop that writes one byte more than the array has.
#include <stdio.h>

__attribute__((noinline)) static void fill(char *block, int count) {
    for (volatile int i = 0; i < count; i++)
        block[i] = 'x'; // EXPECT: stack-buffer-overflow write 1
}

int main(int argc, char **argv) {
    (void)argv;
    char buffer[10];
    fill(buffer, argc + 10);
    printf("%c\n", buffer[argc]);
    return 0;
}
