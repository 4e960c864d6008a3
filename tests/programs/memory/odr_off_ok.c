// WITH: parts/odr_table.c
// FLAGS: ASAN_OPTIONS=detect_odr_violation=0
// NATIVE: skip a static link refuses two definitions, as two shared libraries they run
// STDOUT: 2
// With the check off the first definition of each name is used, as a dynamic linker would.
#include <stdio.h>

int table[4] = {1};
int limits[8] = {1};
int table_sum(void);

int main(void) {
    printf("%d\n", table_sum());
    return 0;
}
