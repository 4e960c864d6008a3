// A program that starts itself again by /proc/self/exe is the program there, too.
// STDOUT: first 1
// STDOUT: again with 2 words, limit 100
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

int main(int argc, char **argv) {
    struct rlimit limit;
    if (argc > 1 && strcmp(argv[1], "again") == 0) {
        getrlimit(RLIMIT_NOFILE, &limit);
        printf("again with %d words, limit %d\n", argc, (int)limit.rlim_max);
        return 0;
    }
    limit.rlim_cur = limit.rlim_max = 100;
    setrlimit(RLIMIT_NOFILE, &limit);
    printf("first %d\n", argc);
    fflush(stdout);
    execl("/proc/self/exe", argv[0], "again", (char *)NULL);
    return 1;
}
