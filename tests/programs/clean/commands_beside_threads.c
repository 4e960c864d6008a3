// While a thread waits for a command, the others run: here the command waits for one of them.
// STDOUT: system: seen
// STDOUT: status 3
// STDOUT: read by pclose
// STDOUT: written by pclose: hello
// STDOUT: status 5
// STDOUT: no shell needed: 1
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/irsan-XXXXXX";
static char mark[64];

static void *make_mark(void *unused) {
    usleep(50000);
    int file = open(mark, O_CREAT | O_WRONLY, 0600);
    if (file >= 0) close(file);
    return unused;
}

static pthread_t begin(void) {
    pthread_t thread;
    unlink(mark);
    pthread_create(&thread, NULL, make_mark, NULL);
    return thread;
}

static int status_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }

int main(void) {
    char command[256];
    if (mkdtemp(folder) == NULL) return 1;
    snprintf(mark, sizeof mark, "%s/mark", folder);

    pthread_t thread = begin();
    snprintf(command, sizeof command,
             "until test -e %s; do sleep 0.02; done; echo system: seen; exit 3", mark);
    int status = system(command);
    pthread_join(thread, NULL);
    printf("status %d\n", status_of(status));

    thread = begin();
    snprintf(command, sizeof command, "until test -e %s; do sleep 0.02; done", mark);
    FILE *stream = popen(command, "r");
    status = pclose(stream);
    pthread_join(thread, NULL);
    printf("read by pclose%s\n", status_of(status) == 0 ? "" : ", wrongly");
    fflush(stdout);

    thread = begin();
    snprintf(command, sizeof command,
             "until test -e %s; do sleep 0.02; done; read word; "
             "echo written by pclose: $word; exit 5", mark);
    stream = popen(command, "w");
    fputs("hello\n", stream);
    status = pclose(stream);
    pthread_join(thread, NULL);
    printf("status %d\n", status_of(status));
    printf("no shell needed: %d\n", system(NULL) != 0);
    unlink(mark);
    rmdir(folder);
    return 0;
}
