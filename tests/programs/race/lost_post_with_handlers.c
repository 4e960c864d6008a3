// Handlers that no signal from outside can reach end no wait: one is blocked, the other for faults.
// NATIVE: skip it hangs there
// EXIT: 66
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>

static sem_t semaphore;

static void on_signal(int number) {
    (void)number;
    sem_post(&semaphore);
}

int main(void) {
    sigset_t blocked;
    sem_init(&semaphore, 0, 0);
    signal(SIGUSR1, on_signal);
    signal(SIGFPE, on_signal);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    sem_wait(&semaphore); // EXPECT: lost wakeup (all threads asleep for ever)
    puts("never");
    return 0;
}
