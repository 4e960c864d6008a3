// The twin of localtime_overflow: what the time functions read and write is all there.
// STDOUT: 70 86400 02.01.1970 Fri Jan  2 00:00:00 1970
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void) {
    time_t *seconds = malloc(sizeof *seconds);
    struct tm *broken = malloc(sizeof *broken);
    char *text = malloc(11);
    char *line = malloc(26);
    if (!seconds || !broken || !text || !line) return 1;
    *seconds = 86400;
    gmtime_r(seconds, broken);
    int year = broken->tm_year;
    long back = (long)timegm(broken);
    strftime(text, 11, "%d.%m.%Y", broken);
    printf("%d %ld %s %s", year, back, text, asctime_r(broken, line));
    free(line);
    free(text);
    free(broken);
    free(seconds);
    return 0;
}
