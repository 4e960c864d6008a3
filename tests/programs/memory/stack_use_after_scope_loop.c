// The variable of the last round is gone in the next one.
#include <stdio.h>

static char *volatile before;

__attribute__((noinline)) static void look(const char *text) {
    printf("%c\n", text[0]); // EXPECT: stack-use-after-scope read 1
}

int main(int argc, char **argv) {
    (void)argv;
    for (int i = 0; i < argc; i++) {
        char text[8] = "round";
        before = text;
        look(text);
    }
    look(before);
    return 0;
}
