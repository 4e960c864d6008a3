// select, pselect, poll and ppoll over pipes, with timeouts and a signal.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

static volatile sig_atomic_t signalled;
static void on_signal(int number) { signalled = number; }

static int ends[3][2];

static void *writer(void *argument) {
    for (int round = 0; round < 6; round++) {
        char c = (char)('a' + round);
        usleep(1000);
        if (write(ends[round % 3][1], &c, 1) != 1) return argument;
    }
    return NULL;
}

int main(void) {
    for (int i = 0; i < 3; i++) assert(pipe(ends[i]) == 0);
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    char seen[3][8] = {"", "", ""};
    int total = 0;
    while (total < 6) {
        fd_set set;
        FD_ZERO(&set);
        int top = 0;
        for (int i = 0; i < 3; i++) {
            FD_SET(ends[i][0], &set);
            if (ends[i][0] > top) top = ends[i][0];
        }
        struct timeval limit = {10, 0};
        int n = select(top + 1, &set, NULL, NULL, &limit);
        assert(n > 0);
        for (int i = 0; i < 3; i++)
            if (FD_ISSET(ends[i][0], &set)) {
                char c;
                assert(read(ends[i][0], &c, 1) == 1);
                seen[i][strlen(seen[i])] = c;
                total++;
            }
    }
    pthread_join(thread, NULL);
    printf("%s %s %s\n", seen[0], seen[1], seen[2]);
    struct timeval brief = {0, 2000};
    fd_set none;
    FD_ZERO(&none);
    FD_SET(ends[0][0], &none);
    assert(select(ends[0][0] + 1, &none, NULL, NULL, &brief) == 0 && !FD_ISSET(ends[0][0], &none));

    struct pollfd fds[3] = {{ends[0][0], POLLIN, 0}, {ends[1][1], POLLOUT, 0}, {-1, POLLIN, 0}};
    assert(poll(fds, 3, 0) == 1 && fds[1].revents == POLLOUT && fds[2].revents == 0);
    close(ends[0][1]), close(ends[1][0]);
    assert(poll(fds, 2, 100) == 2 && (fds[0].revents & POLLHUP) && (fds[1].revents & POLLERR));
    fds[0] = (struct pollfd){999, POLLIN, 0};
    assert(poll(fds, 1, 0) == 1 && fds[0].revents == POLLNVAL);

    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGUSR1, &action, NULL);
    sigset_t block, old;
    sigemptyset(&block), sigaddset(&block, SIGUSR1);
    sigprocmask(SIG_BLOCK, &block, &old);
    raise(SIGUSR1);
    assert(!signalled);
    struct timespec second = {1, 0};
    struct pollfd quiet = {ends[2][0], POLLIN, 0};
    int result = ppoll(&quiet, 1, &second, &old);
    printf("%d %d %d\n", result, errno == EINTR, signalled == SIGUSR1);
    assert(pselect(0, NULL, NULL, NULL, &(struct timespec){0, 1000000}, &old) == 0);
    return 0;
}
