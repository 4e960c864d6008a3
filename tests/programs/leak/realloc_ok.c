// A table that grows, entries and all.
// EXIT: 0
#include <stdlib.h>

static char **table;

int main(void) {
    for (int n = 1; n <= 64; n++) {
        table = realloc(table, n * sizeof *table);
        table[n - 1] = calloc(1, n);
    }
    for (int n = 1; n <= 32; n++) free(table[n - 1]);
    return table[63][63];
}
