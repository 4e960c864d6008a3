// Pointers through structures, copies, realloc, qsort and unions: each used for its own object.
// EXIT: 0
// NATIVE: skip no native tool follows pointers
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    long before;
    int *values;
};

union word {
    void *pointer;
    unsigned char bytes[8];
};

static int by_value(const void *left, const void *right)
{
    return **(int *const *)left - **(int *const *)right;
}

int main(void)
{
    int **all = malloc(4 * sizeof *all);
    for (int i = 0; i < 4; i++) {
        all[i] = malloc(sizeof **all);
        *all[i] = 10 - i;
    }
    all = realloc(all, 100 * sizeof *all);
    qsort(all, 4, sizeof *all, by_value);
    struct node node = {1, all[0]}, *copy = malloc(sizeof *copy);
    memcpy(copy, &node, sizeof node);
    union word word, other;
    word.pointer = copy->values;
    for (int i = 0; i < 8; i++)
        other.bytes[i] = word.bytes[i];
    printf("%d %d %d\n", *copy->values, *(int *)other.pointer, *all[3]);
    for (int i = 0; i < 4; i++)
        free(all[i]);
    char *line = strdup("a line of text");
    char *end;
    long number = strtol(strchr(line, 'l') - 0, &end, 10);
    printf("%ld %c\n", number, *end);
    free(line);
    free(copy);
    free(all);
    return 0;
}
