// The twin of regexec_overflow.
// STDOUT: 0 1
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    regex_t expression;
    regmatch_t *places = malloc(3 * sizeof(regmatch_t));
    if (regcomp(&expression, "a(b)(c)", REG_EXTENDED)) return 1;
    int status = regexec(&expression, "xabc", 3, places, 0);
    printf("%d %d\n", status, (int)places[0].rm_so);
    regfree(&expression);
    free(places);
    return 0;
}
