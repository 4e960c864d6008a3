// The number has one digit more than the buffer has room for.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    char *text = malloc(8); // ALLOCATED
    if (!text) return 1;
    sprintf(text, "%d%s", 123456 + argc, "78"); // EXPECT: heap-buffer-overflow write 9
    int first = text[0];
    free(text);
    return first == 'x';
}
