// The status of a child is written to a block of its size.
// STDOUT: 1
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    pid_t child = fork();
    if (child == 0) raise(SIGKILL);
    int *status = malloc(sizeof *status);
    pid_t ended = wait(status);
    printf("%d\n", ended == child);
    free(status);
    return 0;
}
