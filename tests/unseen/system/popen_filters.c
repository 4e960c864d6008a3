// popen in both directions, system, and what they return.
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int count_lines(const char *command) {
    FILE *stream = popen(command, "r");
    assert(stream);
    char *line = NULL;
    size_t room = 0;
    int lines = 0;
    while (getline(&line, &room, stream) > 0) {
        line[strcspn(line, "\n")] = 0;
        printf("%2d %s\n", ++lines, line);
    }
    free(line);
    int status = pclose(stream);
    assert(WIFEXITED(status));
    printf("exit %d\n", WEXITSTATUS(status));
    return lines;
}

int main(void) {
    assert(count_lines("printf 'pear\\napple\\nfig\\n' | sort; exit 5") == 3);
    assert(count_lines("true") == 0);

    char path[] = "/tmp/popenXXXXXX";
    int fd = mkstemp(path);
    char command[128];
    snprintf(command, sizeof command, "tr a-z A-Z > %s", path);
    fflush(stdout);
    FILE *out = popen(command, "w");
    for (int i = 0; i < 3; i++) fprintf(out, "word number %d\n", i);
    assert(pclose(out) == 0);
    char text[128];
    ssize_t n = read(fd, text, sizeof text - 1);
    text[n] = 0;
    fputs(text, stdout);
    close(fd), unlink(path);

    fflush(stdout);
    int status = system("exit 42");
    printf("system %d\n", WEXITSTATUS(status));
    assert(system(NULL) != 0);
    fflush(stdout);
    status = system("kill -9 $$");
    printf("signalled %d %d\n", WIFSIGNALED(status), WTERMSIG(status));
    fflush(stdout);
    status = system("echo from the shell");
    assert(status == 0);
    FILE *two = popen("cat", "w"), *three = popen("echo x", "r");
    assert(two && three);
    assert(fgetc(three) == 'x');
    assert(pclose(two) == 0 && pclose(three) == 0);
    assert(!popen("true", "bad") && errno == EINVAL);
    return 0;
}
