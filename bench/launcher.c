// Starts a command, and writes what its process took when it has ended:
//
//     launcher FILE COMMAND...      user + system microseconds, peak of resident KiB, wait status
//
// A process inherits the peak of whoever starts it, and Python's is larger than that of a small
// program; this one's is not.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static long long microseconds(struct timeval time) { return time.tv_sec * 1000000LL + time.tv_usec; }

int main(int argc, char **argv) {
    struct rusage usage;
    int status;
    if (argc < 3) return 2;
    pid_t child = fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        perror(argv[2]);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child) return 2;
    FILE *file = fopen(argv[1], "w");
    if (!file) return 2;
    fprintf(file, "%lld %ld %d\n", microseconds(usage.ru_utime) + microseconds(usage.ru_stime),
            usage.ru_maxrss, status);
    return fclose(file) ? 2 : 0;
}
