// time stores the seconds in a block that was given back.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void) {
    time_t *now = malloc(sizeof *now); // ALLOCATED
    free(now);                         // FREED
    time_t same = time(now);           // EXPECT: heap-use-after-free write 8
    printf("%d\n", same > 0);
    return 0;
}
