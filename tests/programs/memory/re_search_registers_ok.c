// The twin of re_search_registers: the caller's fast map and table are freed by regfree,
// registers of the library grow and are freed by the caller, and those of the caller are filled.
// STDOUT: ok ok
// STDOUT: 1: 1-3 2-3 -1--1
// STDOUT: -1: 1-3 2-3 -1--1
// STDOUT: 0: 0-6 1-2 3-4 5-6 -1--1
// STDOUT: 2: 1-3 2-3 -1--1 -1--1 -1--1
// STDOUT: 3: 2-5 3-5 -1--1 -1--1 -1--1 -1--1
#define _GNU_SOURCE
#include <ctype.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print(int at, const struct re_registers *found) {
    printf("%d:", at);
    for (unsigned i = 0; i < found->num_regs; i++) {
        printf(" %d-%d", (int)found->start[i], (int)found->end[i]);
    }
    printf("\n");
}

static const char *compile(struct re_pattern_buffer *expression, const char *pattern) {
    memset(expression, 0, sizeof *expression);
    expression->buffer = malloc(8);
    expression->allocated = 8;
    expression->fastmap = malloc(256);
    expression->translate = malloc(256);
    for (int i = 0; i < 256; i++) expression->translate[i] = tolower(i);
    return re_compile_pattern(pattern, strlen(pattern), expression);
}

int main(void) {
    struct re_pattern_buffer one, three;
    struct re_registers found, own;
    re_set_syntax(RE_SYNTAX_POSIX_EXTENDED);
    printf("%s", compile(&one, "b(c+)") ? "wrong" : "ok");
    printf(" %s\n", compile(&three, "x(.)x(.)x(.)") ? "wrong" : "ok");
    print(re_search(&one, "aBCd", 4, 0, 4, &found), &found);
    print(re_search(&one, "none", 4, 0, 4, &found), &found);
    three.regs_allocated = REGS_REALLOCATE;
    print(re_match(&three, "x1x2x3", 6, 0, &found) - 6, &found);
    print(re_match_2(&one, "ab", 2, "cdef", 4, 1, &found, 6), &found);
    own.num_regs = 6;
    own.start = malloc(6 * sizeof(regoff_t));
    own.end = malloc(6 * sizeof(regoff_t));
    one.regs_allocated = REGS_FIXED;
    int at = re_search_2(&one, "aab", 3, "ccdef", 5, 0, 8, &own, 8);
    print(at + 1, &own);
    regfree(&one);
    regfree(&three);
    free(found.start);
    free(found.end);
    free(own.start);
    free(own.end);
    return 0;
}
