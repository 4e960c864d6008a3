// The smallest program with output.
// STDOUT: hello, world
#include <stdio.h>

int main(void) {
    puts("hello, world");
    return 0;
}
