// The twin of scanf_use_after_free: the structure lives until it is printed.
// STDIN: 12 30
// STDOUT: 12:30
#include <stdio.h>
#include <stdlib.h>

struct Time {
    int hours;
    int minutes;
};

int main(void) {
    struct Time *time = malloc(sizeof *time);
    if (scanf("%d %d", &time->hours, &time->minutes) == 2)
        printf("%02d:%02d\n", time->hours, time->minutes);
    free(time);
    return 0;
}
