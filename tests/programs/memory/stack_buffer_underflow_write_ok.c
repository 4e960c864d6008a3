// A pointer that walks down to the first element.
// STDOUT: 0
#include <stdio.h>

__attribute__((noinline)) static void clear_down(char *from, int count) {
    for (volatile int i = 0; i < count; i++)
        *from-- = 0;
}

int main(int argc, char **argv) {
    (void)argv;
    char text[16];
    clear_down(text + 15, 15 + argc);
    printf("%d\n", text[argc]);
    return 0;
}
