// The suppressions of the program hide what they name, and nothing else.
#include <stdlib.h>
#include <string.h>

const char *__asan_default_suppressions(void) { return "interceptor_via_fun:old_code"; }

static __attribute__((noinline)) size_t new_code(const char *text) {
    size_t n_bytes = strlen(text); // EXPECT: heap-buffer-overflow read
    return n_bytes + 1;
}

int main(void) {
    char *volatile text = malloc(4); // ALLOCATED
    memcpy(text, "four", 4);
    int is_long = new_code(text) > 4;
    free(text);
    return !is_long;
}
