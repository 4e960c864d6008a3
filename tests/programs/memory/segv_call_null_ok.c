// The twin of segv_call_null: the pointer is set.
// STDOUT: 4
#include <stdio.h>

static int next(int number) { return number + 1; }

static int (*volatile on_event)(int);

int main(void) {
    on_event = next;
    printf("%d\n", on_event(3));
    return 0;
}
