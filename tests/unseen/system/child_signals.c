// SIGCHLD, a handler that reaps, SIGPIPE, signals between parent and child.
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t reaped, statuses, pipes, got;

static void on_child(int number) {
    int saved = errno, status;
    (void)number;
    while (waitpid(-1, &status, WNOHANG) > 0) {
        reaped++;
        statuses += WEXITSTATUS(status);
    }
    errno = saved;
}
static void on_pipe(int number) { pipes += number == SIGPIPE; }
static void on_user(int number) { got = number; }

int main(void) {
    struct sigaction action = {.sa_handler = on_child, .sa_flags = SA_RESTART | SA_NOCLDSTOP};
    sigset_t block, old;
    sigemptyset(&block), sigaddset(&block, SIGCHLD), sigaddset(&block, SIGUSR1);
    sigprocmask(SIG_BLOCK, &block, &old);
    sigaction(SIGCHLD, &action, NULL);
    for (int i = 1; i <= 4; i++)
        if (fork() == 0) _exit(i);
    while (reaped < 4) sigsuspend(&old);
    printf("%d children, statuses %d\n", (int)reaped, (int)statuses);
    signal(SIGCHLD, SIG_DFL);

    struct sigaction on_pipes = {.sa_handler = on_pipe};
    sigaction(SIGPIPE, &on_pipes, NULL);
    int ends[2];
    assert(pipe(ends) == 0);
    close(ends[0]);
    assert(write(ends[1], "x", 1) == -1 && errno == EPIPE && pipes == 1);
    signal(SIGPIPE, SIG_IGN);
    assert(write(ends[1], "x", 1) == -1 && errno == EPIPE && pipes == 1);
    close(ends[1]);

    action = (struct sigaction){.sa_handler = on_user};
    sigaction(SIGUSR1, &action, NULL);
    pid_t parent = getpid(), child = fork();
    if (!child) {
        kill(parent, SIGUSR1);
        while (!got) sigsuspend(&old);
        _exit(got == SIGUSR1 ? 21 : 22);
    }
    while (!got) sigsuspend(&old);
    kill(child, SIGUSR1);
    int status;
    while (waitpid(child, &status, 0) == -1) assert(errno == EINTR);
    printf("child said %d\n", WEXITSTATUS(status));
    sigprocmask(SIG_SETMASK, &old, NULL);
    child = fork();
    if (!child) {
        signal(SIGABRT, SIG_DFL);
        signal(SIGTERM, SIG_DFL);
        raise(SIGTERM);
        _exit(1);
    }
    waitpid(child, &status, 0);
    printf("%s\n", WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM ? "terminated" : "?");
    signal(SIGCHLD, SIG_IGN);
    if (!fork()) _exit(0);
    assert(wait(NULL) == -1 && errno == ECHILD);
    return 0;
}
