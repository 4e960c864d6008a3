// Waiting for a lock of a file: threads with descriptors of their own, and another process.
// STDOUT: flock 40 fcntl 0
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

static char path[] = "/tmp/irsan-locks-XXXXXX";
static int n_locked;
static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;

static void *lock_often(void *unused) {
    int file = open(path, O_RDWR);
    for (int i = 0; i < 20; i++) {
        flock(file, LOCK_EX);
        usleep(1);
        pthread_mutex_lock(&counting);
        n_locked++;
        pthread_mutex_unlock(&counting);
        flock(file, LOCK_UN);
    }
    close(file);
    return unused;
}

static int lock_after_child(void) {
    int ready[2];
    int file = open(path, O_RDWR);
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    pipe(ready);
    if (fork() == 0) {
        fcntl(file, F_SETLKW, &whole);
        write(ready[1], "!", 1);
        usleep(5000);
        kill(getpid(), SIGKILL);
    }
    char mark;
    read(ready[0], &mark, 1);
    int status = fcntl(file, F_SETLKW, &whole);
    wait(NULL);
    return status;
}

int main(void) {
    close(mkstemp(path));
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, lock_often, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    int status = lock_after_child();
    unlink(path);
    printf("flock %d fcntl %d\n", n_locked, status);
    return 0;
}
