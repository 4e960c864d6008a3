#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int turns;

static void *turn(void *unused) {
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&lock);
        turns++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static double now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

int main(void) {
    int ends[2], status = 0;
    pthread_t other;
    if (pipe(ends)) return 2;
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    struct timeval timeout = {0, 50000};
    double before = now_ms();
    int found = select(ends[0] + 1, &set, NULL, NULL, &timeout);
    double passed = now_ms() - before;
    printf("select %d %d %d\n", found, FD_ISSET(ends[0], &set) != 0, passed >= 49);
    int poller = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = 77}, seen;
    epoll_ctl(poller, EPOLL_CTL_ADD, ends[0], &event);
    printf("epoll %d\n", epoll_wait(poller, &seen, 1, 20));
    pid_t child = fork();
    if (child == 0) {
        usleep(1000);
        _exit(write(ends[1], "x", 1) == 1 ? 5 : 6);
    }
    pthread_create(&other, NULL, turn, NULL);
    printf("epoll %d\n", epoll_wait(poller, &seen, 1, -1));
    printf("data %d\n", seen.data.fd);
    pid_t ended = waitpid(child, &status, 0);
    printf("child %d %d\n", ended == child, WEXITSTATUS(status));
    pthread_join(other, NULL);
    printf("turns %d, no child: %d %d\n", turns, (int)wait(NULL), errno == ECHILD);
    return 0;
}
