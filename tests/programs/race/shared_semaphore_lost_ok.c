// A child that lives may still post, however late: time passes as it really does.
// STDOUT: posted 0 early 110
#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    sem_t *posted =
        mmap(NULL, 2 * sizeof *posted, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    sem_t *begun = posted + 1;
    sem_init(posted, 1, 0);
    sem_init(begun, 1, 0);
    if (fork() == 0) {
        while (sem_wait(begun)) {}
        usleep(20000);
        sem_post(posted);
        usleep(20000);
        sem_post(posted);
        kill(getpid(), SIGKILL);
    }
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    int early = sem_timedwait(posted, &soon) ? errno : 0;
    sem_post(begun);
    int status = sem_wait(posted);
    soon.tv_sec += 60;
    status |= sem_timedwait(posted, &soon);
    wait(NULL);
    printf("posted %d early %d\n", status, early);
    return 0;
}
