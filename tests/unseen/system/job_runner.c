// A shell in small: command lines are split, run with redirections and pipes, and waited for.
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct command {
    char *words[16];
    char *input, *output;
};

static int split(char *line, struct command *commands) {
    int n = 0, w = 0;
    memset(&commands[0], 0, sizeof commands[0]);
    for (char *save, *token = strtok_r(line, " ", &save); token; token = strtok_r(NULL, " ", &save)) {
        if (!strcmp(token, "|")) {
            memset(&commands[++n], 0, sizeof commands[0]);
            w = 0;
        } else if (*token == '<') commands[n].input = token + 1;
        else if (*token == '>') commands[n].output = token + 1;
        else commands[n].words[w++] = token;
    }
    return n + 1;
}

static void redirect(const char *path, int flags, int target) {
    int fd = open(path, flags, 0600);
    if (fd < 0) _exit(125);
    dup2(fd, target);
    close(fd);
}

static int run(const char *text) {
    char line[256];
    struct command commands[8];
    pid_t pids[8];
    snprintf(line, sizeof line, "%s", text);
    int n = split(line, commands), previous = -1, result = 0;
    fflush(stdout);
    for (int i = 0; i < n; i++) {
        int ends[2] = {-1, -1};
        if (i + 1 < n && pipe(ends)) abort();
        pids[i] = fork();
        if (!pids[i]) {
            if (previous >= 0) dup2(previous, 0), close(previous);
            if (ends[1] >= 0) dup2(ends[1], 1), close(ends[0]), close(ends[1]);
            if (commands[i].input) redirect(commands[i].input, O_RDONLY, 0);
            if (commands[i].output) redirect(commands[i].output, O_WRONLY | O_CREAT | O_TRUNC, 1);
            execvp(commands[i].words[0], commands[i].words);
            _exit(127);
        }
        if (previous >= 0) close(previous);
        if (ends[1] >= 0) close(ends[1]);
        previous = ends[0];
    }
    for (int i = 0; i < n; i++) {
        int status;
        assert(waitpid(pids[i], &status, 0) == pids[i]);
        if (i == n - 1) result = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    return result;
}

int main(void) {
    char path[64], line[160];
    snprintf(path, sizeof path, "/tmp/jobs_%d", (int)getpid());
    printf("%d\n", run("echo a simple command"));
    snprintf(line, sizeof line, "printf b\\nc\\na\\nb\\n | sort | uniq -c | tr -s \\040 >%s", path);
    printf("%d\n", run(line));
    snprintf(line, sizeof line, "wc -l <%s", path);
    printf("%d\n", run(line));
    snprintf(line, sizeof line, "grep b <%s | cut -c 2-4", path);
    printf("%d\n", run(line));
    printf("%d %d %d\n", run("false"), run("no_such_command_here"), run("cat <" "/no/such/file"));
    assert(unlink(path) == 0);
    return 0;
}
