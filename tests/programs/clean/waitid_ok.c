// waitid: what it says of a child, that WNOWAIT leaves it there, and other threads run meanwhile.
// STDOUT: look 5 1, take 5 1, killed 9 1, gone 1, ticks 1
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int ticks;

static void *tick(void *unused) {
    for (int i = 0; i < 3; i++) usleep(100), ticks++;
    return unused;
}

int main(void) {
    pid_t child = fork();
    if (child == 0) usleep(2000), _exit(5);
    pthread_t thread;
    pthread_create(&thread, NULL, tick, NULL);
    siginfo_t look = {0}, take = {0}, killed = {0};
    waitid(P_PID, child, &look, WEXITED | WNOWAIT);
    waitid(P_PID, child, &take, WEXITED);
    pthread_join(thread, NULL);
    printf("look %d %d, take %d %d, ", look.si_status, look.si_pid == child, take.si_status,
           take.si_code == CLD_EXITED);
    child = fork();
    if (child == 0) pause();
    kill(child, SIGKILL);
    waitid(P_ALL, 0, &killed, WEXITED);
    siginfo_t none;
    int gone = waitid(P_PID, child, &none, WEXITED) == -1 && errno == ECHILD;
    printf("killed %d %d, gone %d, ticks %d\n", killed.si_status, killed.si_code == CLD_KILLED,
           gone, ticks == 3);
    return 0;
}
