// Null where an attribute says that there is none: as an argument, and as a result.
#include <stddef.h>

char *volatile nowhere;
volatile long sink;

static long length(const char *text) __attribute__((nonnull(1), noinline));
static long length(const char *text) { return text ? 1 : 2; }

static char *found(void) __attribute__((returns_nonnull, noinline));
static char *found(void) {
    return nowhere; // EXPECT: invalid-null-return
}

int main(void) {
    sink = length(nowhere); // EXPECT: invalid-null-argument
    sink = (long)found();
    return 0;
}
