// A wait for a semaphore ends with EINTR behind a handler without SA_RESTART, and only behind one.
// STDOUT: EINTR posted EINTR posted
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static sem_t semaphore, ready;
static volatile sig_atomic_t handled;

static void note(int number) { handled = number; }

static void note_and_post(int number) {
    handled = number;
    sem_post(&semaphore);
}

static void install(int number, void (*handler)(int), int flags) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigaction(number, &action, NULL);
}

static const char *wait_once(void) {
    if (sem_wait(&semaphore) == 0) return "posted";
    return errno == EINTR && handled ? "EINTR" : "lost";
}

static void *waiter(void *result) {
    sem_post(&ready);
    *(const char **)result = wait_once();
    return NULL;
}

static const char *interrupted_by(int number) {
    const char *result = "none";
    pthread_t thread;
    handled = 0;
    pthread_create(&thread, NULL, waiter, &result);
    while (sem_wait(&ready)) {}
    nanosleep(&(struct timespec){.tv_nsec = 50 * 1000 * 1000}, NULL);
    pthread_kill(thread, number);
    nanosleep(&(struct timespec){.tv_nsec = 50 * 1000 * 1000}, NULL);
    sem_post(&semaphore);
    pthread_join(thread, NULL);
    return result;
}

int main(void) {
    sem_init(&semaphore, 0, 0);
    sem_init(&ready, 0, 0);
    install(SIGALRM, note, 0);
    alarm(1);
    printf("%s ", wait_once());
    install(SIGALRM, note_and_post, SA_RESTART);
    alarm(1);
    printf("%s ", wait_once());
    install(SIGUSR1, note, 0);
    printf("%s ", interrupted_by(SIGUSR1));
    install(SIGUSR2, note, SA_RESTART);
    sem_trywait(&semaphore);  // what the interrupted thread did not take
    puts(interrupted_by(SIGUSR2));
    return 0;
}
