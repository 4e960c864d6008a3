// All threads sleep, but a handler will post the semaphore: a process waits to be told to stop.
// STDOUT: stopped after 1 signal
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static sem_t stop, done;
static volatile sig_atomic_t n_signals;

static void on_signal(int number) {
    n_signals += number == SIGTERM;
    sem_post(&stop);
}

static void *work(void *unused) {
    while (sem_wait(&done)) {}
    return unused;
}

int main(void) {
    pthread_t worker;
    pid_t parent = getpid();
    sem_init(&stop, 0, 0);
    sem_init(&done, 0, 0);
    signal(SIGTERM, on_signal);
    pid_t child = fork();
    if (child == 0) {
        if (system("sleep 0.2") == 0)  // of real time, so that the parent sleeps by then
            kill(parent, SIGTERM);
        kill(getpid(), SIGKILL);
    }
    pthread_create(&worker, NULL, work, NULL);
    while (sem_wait(&stop)) {}
    sem_post(&done);
    pthread_join(worker, NULL);
    waitpid(child, NULL, 0);
    printf("stopped after %d signal\n", (int)n_signals);
    return 0;
}
