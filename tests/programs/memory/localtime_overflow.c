// A calendar time of nine fields is not all of struct tm.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void) {
    time_t seconds = 86400;
    struct tm *broken = malloc(9 * sizeof(int)); // ALLOCATED
    struct tm *given = localtime_r(&seconds, broken); // EXPECT: heap-buffer-overflow write 56
    printf("%d\n", given->tm_year);
    free(broken);
    return 0;
}
