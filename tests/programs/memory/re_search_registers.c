// One offset more is read than re_search has made registers.
#define _GNU_SOURCE
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    struct re_pattern_buffer expression;
    struct re_registers found;
    memset(&expression, 0, sizeof expression);
    re_set_syntax(RE_SYNTAX_POSIX_EXTENDED);
    if (re_compile_pattern("b(c)", 4, &expression)) return 1;
    int at = re_search(&expression, "abcd", 4, 0, 4, &found); // ALLOCATED
    printf("%d\n", at + found.start[found.num_regs]); // EXPECT: heap-buffer-overflow read 4
    regfree(&expression);
    free(found.start);
    free(found.end);
    return 0;
}
