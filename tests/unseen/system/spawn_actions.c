// posix_spawn with file actions and attributes.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int status_of(pid_t pid) {
    int status;
    assert(waitpid(pid, &status, 0) == pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(void) {
    int ends[2];
    assert(pipe(ends) == 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    pid_t pid;
    char *argv[] = {"sh", "-c", "wc -c | tr -d ' '; echo $VALUE", NULL};
    setenv("VALUE", "from the parent", 1);
    assert(posix_spawnp(&pid, "sh", &actions, NULL, argv, environ) == 0);
    close(ends[1]);
    FILE *in = fdopen(ends[0], "r");
    char line[64];
    while (fgets(line, sizeof line, in)) printf("line: %s", line);
    fclose(in);
    posix_spawn_file_actions_destroy(&actions);
    printf("status %d\n", status_of(pid));

    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t mask, defaults;
    sigemptyset(&mask), sigaddset(&mask, SIGUSR1);
    sigemptyset(&defaults), sigaddset(&defaults, SIGTERM);
    signal(SIGTERM, SIG_IGN);
    posix_spawnattr_setsigmask(&attributes, &mask);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    char *killer[] = {"sh", "-c", "kill -USR1 $$; kill -TERM $$; exit 3", NULL};
    assert(posix_spawn(&pid, "/bin/sh", NULL, &attributes, killer, environ) == 0);
    printf("status %d\n", status_of(pid));
    posix_spawnattr_destroy(&attributes);

    char *missing[] = {"nothing", NULL};
    int error = posix_spawn(&pid, "/no/such/thing", NULL, NULL, missing, environ);
    printf("%s\n", strerror(error));
    return error == ENOENT ? 0 : 1;
}
