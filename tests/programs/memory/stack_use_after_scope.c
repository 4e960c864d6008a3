// A pointer to a variable of a block that has ended.
#include <stdio.h>

static int *volatile kept;

int main(void) {
    {
        int inner = 3;
        kept = &inner;
        printf("%d\n", *kept);
    }
    *kept = 4; // EXPECT: stack-use-after-scope write 4
    return 0;
}
