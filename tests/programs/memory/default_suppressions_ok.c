// EXIT: 0
// STDOUT: went on
// The program brings its suppressions along: what its old code does in a library call is known.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *__asan_default_suppressions(void) { return "interceptor_via_fun:old_code"; }

static __attribute__((noinline)) size_t old_code(const char *text) {
    size_t n_bytes = strlen(text);
    return n_bytes + 1;
}

int main(void) {
    char *volatile text = malloc(4);
    memcpy(text, "four", 4);
    if (old_code(text) > 3) puts("went on");
    free(text);
    return 0;
}
