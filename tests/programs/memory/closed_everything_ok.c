// A program that lowers its limits is told what it has set, and ends as it wants.
// STDOUT: nofile 3 3 as 1048576 stack 1048576 opened -1
// EXIT: 5
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>
int close_range(unsigned, unsigned, int);

int main(void) {
    struct rlimit few = {3, 3}, little = {1 << 20, 1 << 20}, more = {4, 3}, now;
    setrlimit(RLIMIT_NOFILE, &few);
    setrlimit(RLIMIT_AS, &little);
    prlimit(0, RLIMIT_STACK, &little, NULL);
    if (setrlimit(RLIMIT_NOFILE, &more) == 0) puts("above the hard limit");
    getrlimit(RLIMIT_NOFILE, &now);
    printf("nofile %d %d ", (int)now.rlim_cur, (int)now.rlim_max);
    prlimit(getpid(), RLIMIT_AS, NULL, &now);
    printf("as %d ", (int)now.rlim_max);
    getrlimit(RLIMIT_STACK, &now);
    printf("stack %d opened %d\n", (int)now.rlim_cur, open("/dev/null", O_RDONLY));
    close(2);
    close_range(3, ~0U, 0);
    return 5;
}
