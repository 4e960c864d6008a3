// The same with an end.
// STDOUT: 99
#include <stdio.h>
#include <string.h>

int main(void) {
    char letters[100];
    for (int i = 0; i < 99; i++) letters[i] = 'A';
    letters[99] = 0;
    printf("%zu\n", strlen(letters));
    return 0;
}
