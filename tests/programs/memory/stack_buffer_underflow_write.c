// A pointer that walks down too far.
#include <stdio.h>

__attribute__((noinline)) static void clear_down(char *from, int count) {
    for (volatile int i = 0; i < count; i++)
        *from-- = 0; // EXPECT: stack-buffer-underflow write 1
}

int main(int argc, char **argv) {
    (void)argv;
    char text[16];
    clear_down(text + 15, 16 + argc);
    printf("%d\n", text[argc]);
    return 0;
}
