#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int may_go, n_done;

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    while (!may_go) pthread_cond_wait(&changed, &lock);
    n_done++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[3], own;
    int status;
    char line[40] = "";
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, work, NULL);
    fflush(stdout);
    if (fork() == 0) {
        may_go = 1;  // its parent's threads do not exist here
        pthread_create(&own, NULL, work, NULL);
        pthread_join(own, NULL);
        printf("child %d\n", n_done);
        return 7;
    }
    wait(&status);
    printf("status %d\n", WEXITSTATUS(status));
    pthread_mutex_lock(&lock);
    may_go = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    fflush(stdout);
    if (fork() == 0) {
        execlp("echo", "echo", "another program", (char *)NULL);
        _exit(1);
    }
    wait(&status);
    FILE *pipe = popen("echo through a pipe; exit 2", "r");
    fgets(line, sizeof line, pipe);
    printf("%s%d %d\n", line, WEXITSTATUS(pclose(pipe)), WEXITSTATUS(system("exit 9")));
    return 0;
}
