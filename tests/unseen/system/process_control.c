// Process groups, sessions, prctl, orphans' signals, stop and continue, exit handlers in children.
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static int report[2];
static void at_exit_handler(void) {
    if (write(report[1], "exit ", 5) != 5) abort();
}
static void on_quit(int status, void *argument) {
    char text[32];
    int n = snprintf(text, sizeof text, "%s%d ", (char *)argument, status);
    if (write(report[1], text, (size_t)n) != n) abort();
}

int main(void) {
    assert(pipe(report) == 0);
    pid_t child = fork();
    if (!child) {
        atexit(at_exit_handler);
        on_exit(on_quit, "status=");
        exit(6);
    }
    int status;
    waitpid(child, &status, 0);
    char text[64] = "";
    assert(read(report[0], text, sizeof text - 1) > 0);
    printf("%s%d\n", text, WEXITSTATUS(status));

    child = fork();
    if (!child) {
        setpgid(0, 0);
        for (;;) pause();
    }
    setpgid(child, child);
    assert(getpgid(child) == child && getpgid(0) == getpgrp());
    kill(child, SIGSTOP);
    assert(waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP);
    kill(child, SIGCONT);
    assert(waitpid(child, &status, WCONTINUED) == child && WIFCONTINUED(status));
    assert(waitpid(child, &status, WNOHANG) == 0);
    killpg(child, SIGTERM);
    assert(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
    printf("terminated by %d\n", WTERMSIG(status));

    child = fork();
    if (!child) {
        pid_t session = setsid();
        _exit(session == getpid() && getsid(0) == session && getpgrp() == session ? 11 : 12);
    }
    waitpid(child, &status, 0);
    printf("session %d\n", WEXITSTATUS(status));

    char name[16] = "";
    assert(prctl(PR_SET_NAME, "renamed", 0, 0, 0) == 0 && prctl(PR_GET_NAME, name) == 0);
    int death = 0;
    assert(prctl(PR_SET_PDEATHSIG, SIGTERM) == 0 && prctl(PR_GET_PDEATHSIG, &death) == 0);
    printf("%s %d\n", name, death == SIGTERM);
    prctl(PR_SET_PDEATHSIG, 0);
    assert(kill(child, 0) == -1 && errno == ESRCH);
    assert(getppid() > 0 && getuid() == geteuid());
    fflush(stdout);
    if (!fork()) {
        printf("from a child, flushed by exit\n");
        exit(0);
    }
    wait(NULL);
    return 0;
}
