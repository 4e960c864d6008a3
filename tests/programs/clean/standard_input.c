// fgets, sscanf, strtol and getchar on standard input.
// STDIN: 3 4 seven
// STDIN: 0x1f
// STDIN: rest
// STDOUT: 3 4 seven
// STDOUT: 31
// STDOUT: REST
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char line[64], word[16];
    int left = 0, right = 0;
    if (!fgets(line, sizeof line, stdin)) return 1;
    if (sscanf(line, "%d %d %15s", &left, &right, word) != 3) return 1;
    printf("%d %d %s\n", left, right, word);
    if (!fgets(line, sizeof line, stdin)) return 1;
    printf("%ld\n", strtol(line, NULL, 16));
    for (int letter = getchar(); letter != EOF; letter = getchar()) putchar(toupper(letter));
    return 0;
}
