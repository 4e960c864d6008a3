// Handlers end waits with EINTR: any handler that of poll, select and epoll_wait, one without
// SA_RESTART that of read, write and waitpid; alone, and beside another thread.
// STDOUT: alone: 0 wrong
// STDOUT: with another: 0 wrong
// SEEDS: few it waits for real time
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static int empty[2], full[2], n_wrong;
static volatile sig_atomic_t n_handled;
static pid_t child;
static sem_t over;

static void note(int number) { n_handled += number == SIGALRM; }

static void note_and_write(int number) {
    note(number);
    if (write(empty[1], "x", 1) != 1) _exit(3);
}

static void install(void (*handler)(int), int flags) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigaction(SIGALRM, &action, NULL);
}

static void ring_soon(void) {
    struct itimerval soon = {.it_value.tv_usec = 20000};
    n_handled = 0;
    setitimer(ITIMER_REAL, &soon, NULL);
}

static void check(const char *name, long result, int error, long wanted) {
    if (result == wanted && n_handled == 1 && (wanted >= 0 || error == EINTR)) return;
    printf("%s: %ld, %s, %d handled\n", name, result, strerror(error), (int)n_handled);
    n_wrong++;
}

#define CHECK(wanted, call)                         \
    do {                                            \
        ring_soon();                                \
        long result = (call);                       \
        check(#call, result, errno, (wanted));      \
    } while (0)

static void ended_by_any(void) {
    struct pollfd asked = {empty[0], POLLIN, 0};
    struct epoll_event event = {.events = EPOLLIN};
    int set = epoll_create1(0);
    fd_set reads;
    FD_ZERO(&reads);
    FD_SET(empty[0], &reads);
    epoll_ctl(set, EPOLL_CTL_ADD, empty[0], &event);
    CHECK(-1, poll(&asked, 1, -1));
    CHECK(-1, poll(NULL, 0, 60000));
    CHECK(-1, select(empty[0] + 1, &reads, NULL, NULL, NULL));
    CHECK(-1, epoll_wait(set, &event, 1, -1));
    close(set);
}

static void run(const char *name) {
    char bytes[8192] = "", byte;
    n_wrong = 0;
    install(note, 0);
    ended_by_any();
    CHECK(-1, read(empty[0], &byte, 1));
    CHECK(-1, write(full[1], bytes, sizeof bytes));
    CHECK(-1, waitpid(child, NULL, 0));
    install(note, SA_RESTART);
    ended_by_any();
    install(note_and_write, SA_RESTART);
    CHECK(1, read(empty[0], &byte, 1));
    printf("%s: %d wrong\n", name, n_wrong);
}

static void *wait_for_the_end(void *unused) {
    while (sem_wait(&over)) {}
    return unused;
}

int main(void) {
    pthread_t other;
    if (pipe(empty) || pipe(full) || sem_init(&over, 0, 0)) return 1;
    fcntl(full[1], F_SETFL, O_NONBLOCK);
    while (write(full[1], "x", 1) == 1) {}
    fcntl(full[1], F_SETFL, 0);
    child = fork();
    if (child == 0)
        for (;;) pause();
    run("alone");
    sigset_t alarms;
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarms, NULL);
    pthread_create(&other, NULL, wait_for_the_end, NULL);
    pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
    run("with another");
    sem_post(&over);
    pthread_join(other, NULL);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    return 0;
}
