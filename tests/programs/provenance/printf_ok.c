// printf with all kinds of arguments: a null pointer, no byte of a text, its end, a wide text.
// STDOUT: hello (null) [] [] 2 wide
// STDOUT: abc 4
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

int main(int argc, char **argv) {
    (void)argv;
    int n_written = 0;
    char *word = malloc(6);
    char *none = argc > 5 ? word : NULL;
    strcpy(word, "hello");
    printf("%s %s [%.0s] [%.*s] %d %ls\n", word, none, word + 6, 0, word + 6, argc + 1, L"wide");
    printf("abc %n", &n_written);
    printf("%d\n", n_written);
    free(word);
    return 0;
}
