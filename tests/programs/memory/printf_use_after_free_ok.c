// The string of printf is freed afterwards, and a precision bounds one that has no end.
// STDOUT: 1  2.50 [a title] c
// STDOUT: [abc]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *volatile title;

int main(void) {
    title = malloc(32);
    char *open_end = malloc(3);
    if (!title || !open_end) return 1;
    strcpy(title, "a title");
    memcpy(open_end, "abc", 3);
    printf("%d %5.2f [%s] %c\n", 1, 2.5, title, 'c');
    printf("[%.*s]\n", 3, open_end);
    free(title);
    free(open_end);
    return 0;
}
