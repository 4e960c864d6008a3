// A test of the program's own that a child must fail: the parent sees it die by SIGABRT.
// STDOUT: died by 6
// STDOUT: died by 6
// STDOUT: exited 0
#undef NDEBUG
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void observe(int how) {
    pid_t child = fork();
    if (child == 0) {
        assert(how != 0);
        if (how == 1) abort();
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) printf("died by %d\n", WTERMSIG(status));
    else printf("exited %d\n", WEXITSTATUS(status));
    fflush(stdout);
}

int main(void) {
    for (int how = 0; how < 3; how++) observe(how);
    return 0;
}
