// memset of a neighbour's size.
#include <stdio.h>
#include <string.h>

static volatile size_t length = 48;

int main(void) {
    char small[40], large[48];
    memset(large, 1, sizeof large);
    memset(small, 2, length); // EXPECT: stack-buffer-overflow write 48
    printf("%d %d\n", small[length / 2], large[length / 2]);
    return 0;
}
