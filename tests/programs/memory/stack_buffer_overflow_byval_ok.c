// Two levels of structures passed by value, changed by the callee.
// STDOUT: 10 1
#include <stdio.h>

struct table { int values[10]; };
static volatile int index = 9;

__attribute__((noinline)) static int pick(struct table table, int at) {
    table.values[0] = 77;
    return table.values[at];
}

__attribute__((noinline)) static int forward(struct table table, int at) { return pick(table, at); }

int main(void) {
    struct table table = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}};
    int last = forward(table, index);
    printf("%d %d\n", last, table.values[0]);
    return 0;
}
