// wait4 is asked for a usage while no child has ended, and again afterwards.
// STDOUT: 0
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
    struct rusage *usage = calloc(1, sizeof *usage);
    int status = 0;
    pid_t ended = wait4(child, &status, WNOHANG, usage);
    printf("%d\n", (int)ended);
    if (write(gate[1], "", 1) != 1) return 1;
    wait4(child, &status, 0, usage);
    free(usage);
    return 0;
}
