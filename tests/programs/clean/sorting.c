// qsort and bsearch with callbacks, on integers and on strings.
// STDOUT: 1 2 3 5 8 13 found 8, missing 4
// STDOUT: fig kiwi plum apple
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *left, const void *right) {
    int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

static int by_length(const void *left, const void *right) {
    const char *a = *(char *const *)left, *b = *(char *const *)right;
    int order = (strlen(a) > strlen(b)) - (strlen(a) < strlen(b));
    return order ? order : strcmp(a, b);
}

int main(void) {
    int numbers[] = {13, 2, 8, 1, 5, 3};
    const char *words[] = {"plum", "apple", "fig", "kiwi"};
    qsort(numbers, 6, sizeof numbers[0], by_value);
    for (int i = 0; i < 6; i++) printf("%d ", numbers[i]);
    int present = 8, absent = 4;
    int *found = bsearch(&present, numbers, 6, sizeof numbers[0], by_value);
    int *missing = bsearch(&absent, numbers, 6, sizeof numbers[0], by_value);
    printf("found %d, missing %d\n", found ? *found : 0, missing ? 0 : absent);
    qsort(words, 4, sizeof words[0], by_length);
    for (int i = 0; i < 4; i++) printf("%s%c", words[i], i < 3 ? ' ' : '\n');
    return 0;
}
