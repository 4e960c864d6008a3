// The twin of wordexp_small: structures of just their size; an expression that stores no places.
// STDOUT: 0 2 0
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <wordexp.h>

int main(void) {
    wordexp_t words;
    regex_t expression;
    regmatch_t *one = malloc(sizeof *one);
    int status = wordexp("a b", &words, 0);
    if (regcomp(&expression, "b", REG_NOSUB)) return 1;
    int found = regexec(&expression, "abc", 8, one, 0); // the 8 counts for nothing
    printf("%d %d %d\n", status, (int)words.we_wordc, found);
    regfree(&expression);
    wordfree(&words);
    free(one);
    return 0;
}
