// The string functions, each on a heap buffer that is exactly large enough.
// STDOUT: 11 5 hello|hello world|world
// STDOUT: 0 1 1 0
// STDOUT: a-b-c 2 lo wor
// STDOUT: 255 -7 3.5 rest
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static char *exact(const char *text) {
    size_t size_bytes = strlen(text) + 1;
    char *copy = malloc(size_bytes);
    if (!copy) exit(1);
    return memcpy(copy, text, size_bytes);
}

int main(void) {
    char *text = exact("hello world"), *word = exact("hello"), *list = exact("a,b,c");
    printf("%zu %zu %s|%s|%s\n", strlen(text), strcspn(text, " "), word, text, strchr(text, 'w'));
    printf("%d %d %d %d\n", strncmp(text, word, 5), strcmp(text, word) > 0,
           strcmp(word, text) < 0, strcasecmp("HELLO", word));
    char joined[8] = "";
    int commas = 0;
    for (char *save, *item = strtok_r(list, ",", &save); item; item = strtok_r(NULL, ",", &save)) {
        if (joined[0]) strcat(joined, "-"), commas++;
        strcat(joined, item);
    }
    char middle[7];
    memcpy(middle, strstr(text, "lo"), 6);
    middle[6] = '\0';
    printf("%s %d %s\n", joined, commas, middle);
    char *rest = NULL;
    char *numbers = exact("ff -7 3.5 rest");
    long hex = strtol(numbers, &rest, 16);
    int negative = (int)strtol(rest, &rest, 10);
    double real = strtod(rest, &rest);
    printf("%ld %d %.1f%s\n", hex, negative, real, rest);
    free(numbers);
    free(list);
    free(word);
    free(text);
    return 0;
}
