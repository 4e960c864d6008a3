// time stores the seconds in a block.
// STDOUT: 1
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void) {
    time_t *now = malloc(sizeof *now);
    time_t same = time(now);
    free(now);
    printf("%d\n", same > 0);
    return 0;
}
