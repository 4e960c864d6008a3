// wait4 is asked for a usage that does not fit where it shall go; no child has ended yet.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    int gate[2];
    if (pipe(gate) != 0) return 1;
    pid_t child = fork();
    if (child == 0) {
        char byte;
        close(gate[1]);
        if (read(gate[0], &byte, 1) >= 0) raise(SIGKILL);
    }
    struct timeval *usage = calloc(2, sizeof *usage); // ALLOCATED
    int status = 0;
    struct rusage *told = (struct rusage *)usage;
    pid_t ended = wait4(child, &status, WNOHANG, told); // EXPECT: heap-buffer-overflow write 144
    printf("%d\n", (int)ended);
    if (write(gate[1], "", 1) != 1) return 1;
    wait4(child, &status, 0, NULL);
    free(usage);
    return 0;
}
