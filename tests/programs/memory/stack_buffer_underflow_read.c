// One element before the array.
#include <stdio.h>

static volatile int before = -1;

int main(void) {
    short row[12];
    for (int i = 0; i < 12; i++)
        row[i] = (short)(i + before);
    printf("%d\n", row[before]); // EXPECT: stack-buffer-underflow read 2
    return 0;
}
