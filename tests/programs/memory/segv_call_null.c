// A call through a function pointer that was never set.
// NATIVE: miss the report has no frame with a source line, as the program counter is zero
#include <stdio.h>

static int (*volatile on_event)(int);

int main(void) {
    int result = on_event(3); // EXPECT: SEGV
    printf("%d\n", result);
    return 0;
}
