// The twin of sscanf_overflow: every object is exactly as large as its conversion writes.
// STDOUT: 2 7 abc
// STDOUT: 1 2 -5 0
// STDOUT: 3 ab 1.5 9
// STDOUT: 1 made
// STDOUT: 0 -1
// STDOUT: 2 3 x 4
// STDIN: 5 line
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static void *blocks[16];
static int n_blocks;

static void *exactly(size_t size_bytes) {
    void *block = blocks[n_blocks++] = malloc(size_bytes);
    if (!block) exit(1);
    memset(block, 0, size_bytes);
    return block;
}

int main(void) {
    char *word = exactly(4);
    int *count = exactly(sizeof(int));
    int assigned = sscanf("7 abcdef", "%d %3s", count, word);
    printf("%d %d %s\n", assigned, *count, word);

    short *half = exactly(2);
    signed char *quarter = exactly(1);
    int *end = exactly(4);
    assigned = sscanf("-5 x", "%hd%n", half, end);
    printf("%d %d %d %d\n", assigned, *end, *half, sscanf("none", "%hhd%n", quarter, half + 1));

    char *two = exactly(2);
    char *set = exactly(3);
    double *number = exactly(sizeof(double));
    assigned = sscanf("abab1.5,9", "%2c%2[]ab]%lf,%*d%n", two, set, number, end);
    printf("%d %.2s %g %d\n", assigned, two, *number, *end);

    char *made = NULL;
    assigned = sscanf("made", "%ms", &made);
    printf("%d %s\n", assigned, made);
    free(made);
    printf("%d %d\n", sscanf("x", "%d", (int *)half), sscanf("", "%d", (int *)half));

    wchar_t *wide = exactly(2 * sizeof(wchar_t));
    long *big = exactly(sizeof(long));
    assigned = swscanf(L"3 x", L"%ld %1ls", big, wide);
    printf("%d %ld %ls", assigned, *big, wide);
    assigned = scanf("%d%*s", count);
    printf(" %d\n", assigned + *count - 2);
    return 0;
}
