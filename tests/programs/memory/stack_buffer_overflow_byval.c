// A structure passed by value is a copy of the callee's own, with ends of its own.
#include <stdio.h>

struct table { int values[10]; };
static volatile int index = 10;

__attribute__((noinline)) static int pick(struct table table, int at) {
    return table.values[at]; // EXPECT: stack-buffer-overflow read 4
}

int main(void) {
    struct table table = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}};
    printf("%d\n", pick(table, index));
    return 0;
}
