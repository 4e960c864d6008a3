// Large frames called again and again, one above the other.
// STDOUT: 600
#include <stdio.h>
#include <string.h>

__attribute__((noinline)) static int last_of(char *block, int size) { return block[size - 1]; }

__attribute__((noinline)) static int inner(int value) {
    char large[200000];
    memset(large, value, sizeof large);
    return last_of(large, (int)sizeof large);
}

__attribute__((noinline)) static int outer(int value) {
    char large[300000];
    memset(large, value + 1, sizeof large);
    int found = inner(value);
    return found + last_of(large, (int)sizeof large);
}

int main(void) {
    int sum = 0;
    for (int i = 0; i < 200; i++)
        sum += outer(1);
    printf("%d\n", sum);
    return 0;
}
