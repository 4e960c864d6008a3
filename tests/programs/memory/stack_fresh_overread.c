// The text has no end: what lies behind it was never written, and is no zero by luck.
// NATIVE: miss there a fresh stack holds zeros
#include <stdio.h>

int main(void) {
    char letters[100];
    for (int i = 0; i < 99; i++) letters[i] = 'A';
    printf("%s\n", letters); // EXPECT: stack-buffer-overflow read
    return 0;
}
