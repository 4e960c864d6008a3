// The status of a child is written to a block that is too small for it.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    pid_t child = fork();
    if (child == 0) raise(SIGKILL);
    int *status = malloc(2);      // ALLOCATED
    pid_t ended = wait(status);   // EXPECT: heap-buffer-overflow write 4
    printf("%d\n", ended == child);
    free(status);
    return 0;
}
