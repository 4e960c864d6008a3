// regfree frees the fast map that the caller has allocated, and freed.
#define _GNU_SOURCE
#include <regex.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    struct re_pattern_buffer expression;
    memset(&expression, 0, sizeof expression);
    expression.fastmap = malloc(256); // ALLOCATED
    if (re_compile_pattern("abc", 3, &expression)) return 1;
    free(expression.fastmap); // FREED
    regfree(&expression); // EXPECT: double-free
    return 0;
}
