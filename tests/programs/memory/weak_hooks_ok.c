// A program that watches comparisons and searches itself is told of each, with its result.
// NATIVE: skip an ordinary build calls no hooks
// STDOUT: memcmp -1 strncmp 0 strcasecmp 0 strstr 1 memmem 1 strcmp 1
#include <stdio.h>
#include <string.h>
#include <strings.h>

void *memmem(const void *, size_t, const void *, size_t);

static char log_text[200];
static void note(const char *name, long result) {
    size_t used = strlen(log_text);
    snprintf(log_text + used, sizeof log_text - used, "%s%s %ld", used ? " " : "", name, result);
}
static long sign(int result) { return (result > 0) - (result < 0); }

void __sanitizer_weak_hook_memcmp(void *pc, const void *a, const void *b, size_t n, int result) {
    (void)a, (void)b;
    if (pc && n == 3) note("memcmp", sign(result));
}
void __sanitizer_weak_hook_strncmp(void *pc, const char *a, const char *b, size_t n, int result) {
    (void)pc;
    if (a[0] == 'a' && b[0] == 'a' && n == 2) note("strncmp", sign(result));
}
void __sanitizer_weak_hook_strcmp(void *pc, const char *a, const char *b, int result) {
    (void)pc, (void)a;
    if (b[0] == 'a') note("strcmp", sign(result));
}
void __sanitizer_weak_hook_strcasecmp(void *pc, const char *a, const char *b, int result) {
    (void)pc, (void)a, (void)b;
    note("strcasecmp", sign(result));
}
void __sanitizer_weak_hook_strstr(void *pc, const char *a, const char *b, char *result) {
    (void)pc, (void)b;
    note("strstr", result - a);
}
void __sanitizer_weak_hook_memmem(void *pc, const void *a, size_t n_a, const void *b, size_t n_b,
                                  void *result) {
    (void)pc, (void)b;
    if (n_a == 3 && n_b == 1) note("memmem", (char *)result - (const char *)a);
}

int main(int argc, char **argv) {
    const char *volatile first = argc > 5 ? argv[1] : "abc";
    const char *volatile second = argc > 5 ? argv[2] : "abd";
    volatile size_t three = 3, two = 2, one = 1;
    volatile long sum = memcmp(first, second, three);
    sum += strncmp(first, second, two);
    sum += strcasecmp(first, "ABC");
    sum += strstr(first, "bc") != NULL;
    sum += memmem(first, three, "b", one) != NULL;
    sum += strcmp(second, first);
    puts(log_text);
    return sum == 99;
}
