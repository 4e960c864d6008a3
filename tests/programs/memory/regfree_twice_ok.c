// The twin of regfree_twice.
// EXIT: 0
#define _GNU_SOURCE
#include <regex.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    struct re_pattern_buffer expression;
    memset(&expression, 0, sizeof expression);
    expression.fastmap = malloc(256);
    if (re_compile_pattern("abc", 3, &expression)) return 1;
    regfree(&expression);
    return 0;
}
