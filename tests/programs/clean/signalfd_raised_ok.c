// A signal that the only thread blocks and raises is read from a signalfd, with who sent it.
// STDOUT: raised 1 1, killed 1 1, none 1
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <unistd.h>

static int is_from(int source, int number, int code) {
    struct signalfd_siginfo info;
    if (read(source, &info, sizeof info) != sizeof info) return 0;
    return info.ssi_signo == (unsigned)number && info.ssi_code == code;
}

int main(void) {
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR1);
    sigaddset(&mask, SIGUSR2);
    sigprocmask(SIG_BLOCK, &mask, NULL);
    int source = signalfd(-1, &mask, SFD_NONBLOCK);
    raise(SIGUSR1);
    printf("raised %d ", is_from(source, SIGUSR1, SI_TKILL));
    pthread_kill(pthread_self(), SIGUSR2);
    printf("%d, ", is_from(source, SIGUSR2, SI_TKILL));
    kill(getpid(), SIGUSR1);
    sigset_t waiting;
    sigpending(&waiting);
    printf("killed %d %d, ", sigismember(&waiting, SIGUSR1), is_from(source, SIGUSR1, SI_USER));
    char byte;
    printf("none %d\n", read(source, &byte, 1) == -1 && errno == EINVAL);
    return 0;
}
