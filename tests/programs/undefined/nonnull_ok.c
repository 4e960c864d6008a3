// Null where nothing forbids it.
// EXIT: 0
#include <stddef.h>

char *volatile nowhere;
volatile long sink;

static long length(const char *text, const char *other) __attribute__((nonnull(1), noinline));
static long length(const char *text, const char *other) { return *text + (other == NULL); }

static char *found(void) __attribute__((returns_nonnull, noinline));
static char *found(void) { return "x"; }

int main(void) {
    sink = length(found(), nowhere);
    return sink != 'x' + 1;
}
