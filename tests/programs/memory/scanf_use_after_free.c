// The number is read into a structure that is gone.
// STDIN: 12 30
#include <stdio.h>
#include <stdlib.h>

struct Time {
    int hours;
    int minutes;
};

int main(void) {
    struct Time *time = malloc(sizeof *time); // ALLOCATED
    free(time); // FREED
    if (scanf("%d %d", &time->hours, &time->minutes) == 2) // EXPECT: heap-use-after-free write 4
        puts("read");
    return 0;
}
