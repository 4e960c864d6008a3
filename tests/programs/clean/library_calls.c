// Searches, numbers, wide strings and bounded copies at the very ends of their buffers.
// STDOUT: 2 1 3 1 0
// STDOUT: a b c
// STDOUT: -12 255 8 2.5
// STDOUT: 3 1 0
// STDOUT: abc:xyz 7
// STDOUT: 1 2 3 5
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static char *exact(const char *bytes, size_t size_bytes) {
    char *copy = malloc(size_bytes);
    if (!copy) exit(1);
    return memcpy(copy, bytes, size_bytes);
}

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
    char *open_end = exact("a;bc", 4), *text = exact("abcab", 6), *part = exact("cab", 4);
    printf("%ld %d %zu %d %d\n", strstr(text, part) - text, strchr(open_end, ';') == open_end + 1,
           strcspn(text, part + 0) + strnlen(open_end, 3), memchr(open_end, ';', 100) != NULL,
           strncmp(open_end, "a;bcd", 4));

    char *list = exact("a,,b;c", 7), *rest = NULL;
    char *first = strtok_r(list, ",;", &rest), *second = strtok_r(NULL, ",;", &rest);
    printf("%s %s %s\n", first, second, strtok_r(NULL, ",;", &rest));

    char *number = exact(" -12,", 5), *hex = exact("ffz", 3), *real = exact("2.5,", 4);
    size_t octal = strspn("01234567x", "01234567");
    printf("%d %ld %zu %.1f\n", atoi(number), strtol(hex, NULL, 16), octal,
           strtod(real, NULL));

    wchar_t *wide = malloc(4 * sizeof(wchar_t)), *copy = malloc(4 * sizeof(wchar_t));
    if (!wide || !copy) return 1;
    wmemcpy(wide, L"abc", 4);
    wcscpy(copy, wide);
    printf("%zu %d %d\n", wcslen(copy), wcschr(copy, L'b') == copy + 1, wmemcmp(wide, copy, 4));

    char *joined = malloc(8);
    if (!joined) return 1;
    stpcpy(stpcpy(joined, "abc"), ":");
    strncat(joined, "xyz...", 3);
    printf("%s %zu\n", joined, strlen(joined));

    int *values = malloc(4 * sizeof(int));
    if (!values) return 1;
    memcpy(values, (int[]){3, 5, 1, 2}, 4 * sizeof(int));
    qsort(values, 4, sizeof(int), by_value);
    printf("%d %d %d %d\n", values[0], values[1], values[2], values[3]);
    char *blocks[] = {open_end, text, part, list, number, hex, real, joined};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
    free(wide);
    free(copy);
    free(values);
    return 0;
}
