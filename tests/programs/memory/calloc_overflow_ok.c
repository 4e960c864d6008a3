// The twin of calloc_overflow: told to return null, as calloc without a sanitizer does.
// FLAGS: ASAN_OPTIONS=allocator_may_return_null=1
// FLAGS: TSAN_OPTIONS=allocator_may_return_null=1
// STDOUT: refused
#include <stdio.h>
#include <stdlib.h>

static void *volatile table;

int main(int argc, char **argv) {
    (void)argv;
    size_t rows = (size_t)argc << 33, columns = (size_t)argc << 33;
    table = calloc(rows, columns);
    puts(table ? "granted" : "refused");
    return 0;
}
