// Three places of a match are wanted where there is room for two.
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    regex_t expression;
    regmatch_t *places = malloc(2 * sizeof(regmatch_t)); // ALLOCATED
    if (regcomp(&expression, "a(b)(c)", REG_EXTENDED)) return 1;
    int status = regexec( // EXPECT: heap-buffer-overflow write 24
        &expression, "xabc", 3, places, 0);
    printf("%d %d\n", status, (int)places[0].rm_so);
    regfree(&expression);
    free(places);
    return 0;
}
