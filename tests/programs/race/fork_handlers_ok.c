// Handlers of a fork run around it, in the program, in the order that POSIX says.
// STDOUT: 2 1 3 4
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char order[16];
static int n_calls;

static void note(char which) { order[n_calls++] = which; }
static void first(void) { note('1'); pthread_mutex_lock(&mutex); }
static void second(void) { note('2'); }
static void third(void) { note('3'); pthread_mutex_unlock(&mutex); }
static void fourth(void) { note('4'); }

static void *worker(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_atfork(first, third, third);
    pthread_atfork(second, fourth, fourth);
    pthread_create(&thread, NULL, worker, NULL);
    pid_t child = fork();
    if (child == 0) {
        if (n_calls == 4) kill(getpid(), SIGKILL);
        for (;;) {}
    }
    int status = 0;
    waitpid(child, &status, 0);
    pthread_join(thread, NULL);
    if (!WIFSIGNALED(status)) puts("the child saw other calls");
    printf("%c %c %c %c\n", order[0], order[1], order[2], order[3]);
    return 0;
}
