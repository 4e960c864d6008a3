// A program that executes others: arguments, environment, descriptors that stay or close.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int finish(pid_t pid) {
    int status;
    assert(waitpid(pid, &status, 0) == pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static char *capture(char *const argv[], char *const envp[], int *status) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC)) exit(1);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execve(argv[0], argv, envp);
        _exit(127);
    }
    close(ends[1]);
    size_t size = 0, room = 16;
    char *text = malloc(room);
    ssize_t n;
    while ((n = read(ends[0], text + size, room - size - 1)) > 0) {
        size += (size_t)n;
        if (room - size < 2) text = realloc(text, room *= 2);
    }
    close(ends[0]);
    text[size] = 0;
    *status = finish(pid);
    return text;
}

int main(void) {
    int status;
    char *env[] = {"GREETING=hello there", "PATH=/bin:/usr/bin", NULL};
    char *echo[] = {"/bin/sh", "-c", "echo \"$GREETING\" \"$1\" $#; exit 4", "name", "first arg", "second", NULL};
    char *text = capture(echo, env, &status);
    printf("%s%d\n", text, status);
    assert(!strcmp(text, "hello there first arg 2\n") && status == 4);
    free(text);
    char *missing[] = {"/no/such/program", NULL};
    text = capture(missing, env, &status);
    printf("[%s] %d\n", text, status);
    free(text);
    fflush(stdout);
    pid_t pid = fork();
    if (!pid) {
        execlp("sh", "sh", "-c", "kill -TERM $$", (char *)NULL);
        _exit(127);
    }
    printf("%d\n", finish(pid));
    fflush(stdout);
    if (!(pid = vfork())) {
        execl("/bin/true", "true", (char *)NULL);
        _exit(127);
    }
    printf("%d\n", finish(pid));
    errno = 0;
    assert(execv("/etc/passwd", missing) == -1 && errno == EACCES);
    return 0;
}
