// Nobody else has this shared memory any more, so nobody can post: the one who could has ended.
// NATIVE: skip it waits for ever
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    sem_t *posted =
        mmap(NULL, sizeof *posted, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    sem_init(posted, 1, 0);
    if (fork() == 0) kill(getpid(), SIGKILL);
    wait(NULL);
    sem_wait(posted); // EXPECT: lost wakeup (all threads asleep for ever)
    puts("posted");
    return 0;
}
