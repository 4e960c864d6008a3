// Spans of time that are negative, or too many nanoseconds, and numbers of descriptors below 0.
// STDOUT: -1 22, -1 22, -1 22, -1 22, -1 22, -1 22, -1 22, 0 0, 0 0
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/select.h>
#include <time.h>

static void tell(int result, const char *end) {
    printf("%d %d%s", result, errno, end);
    errno = 0;
}

int main(void) {
    struct timeval none = {0, 0}, negative = {-1, 0}, back = {0, -1}, carried = {0, 1500000};
    struct timespec before = {-1, 0}, many = {0, 1000000000}, short_one = {0, 1000};
    tell(select(-1, 0, 0, 0, &none), ", ");
    tell(select(0, 0, 0, 0, &negative), ", ");
    tell(select(0, 0, 0, 0, &back), ", ");
    tell(pselect(0, 0, 0, 0, &many, 0), ", ");
    tell(pselect(0, 0, 0, 0, &before, 0), ", ");
    tell(ppoll(0, 0, &before, 0), ", ");
    tell(nanosleep(&before, 0), ", ");
    tell(select(0, 0, 0, 0, &carried), ", ");
    tell(ppoll(0, 0, &short_one, 0), "\n");
    return 0;
}
