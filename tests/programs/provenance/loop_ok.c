// Loops that change from one object to another by their own pointers.
// EXIT: 0
// NATIVE: skip no native tool follows pointers
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static int walk(int **blocks, int n)
{
    int sum = 0;
    int *at = blocks[0];
    for (int i = 0, used = 0; i < n;) {
        sum += *at++;
        if (++used == 10) {
            used = 0;
            at = ++i < n ? blocks[i] : 0;
        }
    }
    return sum;
}

int main(void)
{
    int *blocks[3];
    for (int i = 0; i < 3; i++)
        blocks[i] = calloc(10, 4), blocks[i][i] = i;
    printf("%d\n", walk(blocks, 3));
    for (int i = 0; i < 3; i++)
        free(blocks[i]);
    return 0;
}
