// Pointers copied side by side, shuffled and stepped: each stays in its own object.
// NATIVE: skip no native tool follows pointers
// STDOUT: 6
// EXIT: 0
#include <stdio.h>
#include <stdlib.h>

struct four {
    char *at[4];
};

__attribute__((noinline)) static void turn(struct four *to, const struct four *from)
{
    char *a = from->at[0], *b = from->at[1], *c = from->at[2], *d = from->at[3];
    to->at[0] = b + 1;
    to->at[1] = a + 1;
    to->at[2] = d + 1;
    to->at[3] = c + 1;
}

int main(void)
{
    struct four one, two;
    char *blocks[4];
    int sum = 0;
    for (int i = 0; i < 4; i++)
        one.at[i] = blocks[i] = calloc(1, 8);
    for (int round = 0; round < 3; round++) {
        turn(&two, &one);
        turn(&one, &two);
    }
    for (int i = 0; i < 4; i++)
        one.at[i][1] = (char)i;
    for (int i = 0; i < 4; i++) {
        sum += blocks[i][7];
        free(blocks[i]);
    }
    printf("%d\n", sum);
    return 0;
}
