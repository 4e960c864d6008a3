// The same with an end; and with the flag, fresh stack reads as zeros.
// FLAGS: IRSAN_OPTIONS=max_stack_fill_size=0
// NATIVE: skip natively fresh stack is whatever it is
// STDOUT: 99
// STDOUT: 0
#include <stdio.h>
#include <string.h>

int main(void) {
    char letters[100];
    volatile char fresh[64];
    for (int i = 0; i < 99; i++) letters[i] = 'A';
    letters[99] = 0;
    printf("%zu\n", strlen(letters));
    printf("%d\n", fresh[40]);
    return 0;
}
