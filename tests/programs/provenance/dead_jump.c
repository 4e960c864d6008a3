// A variable of a function that longjmp has left is used.
// NATIVE: skip no native tool follows pointers
#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;
static int *kept;

__attribute__((noinline)) static void deeper(int *values, int depth)
{
    int own[16] = {depth};
    if (depth == 0) {
        kept = values;
        longjmp(back, 1);
    }
    deeper(own, depth - 1);
    values[0] += own[0];
}

int main(void)
{
    int first[4] = {7};
    if (setjmp(back) == 0)
        deeper(first, 3);
    printf("%d\n", first[0]);
    printf("%d\n", kept[0]); // EXPECT: use-of-dead-provenance read 4
    return 0;
}
