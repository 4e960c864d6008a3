// What was written before a message is read after it: pipe, its copy, socket pair, eventfd, epoll.
// STDOUT: 15
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>
static int pipe_ends[2], sockets[2], copy, event, poller;
static int values[5];

static void *sender(void *unused) {
    uint64_t one = 1;
    values[0] = 1;
    if (write(pipe_ends[1], "x", 1) != 1) return NULL;
    values[1] = 2;
    if (write(copy, "x", 1) != 1) return NULL;
    values[2] = 3;
    if (send(sockets[0], "x", 1, 0) != 1) return NULL;
    values[3] = 4;
    if (write(event, &one, sizeof one) != sizeof one) return NULL;
    values[4] = 5;
    struct epoll_event wanted = {.events = EPOLLIN};
    epoll_ctl(poller, EPOLL_CTL_ADD, event, &wanted);
    return unused;
}

int main(void) {
    pthread_t thread;
    char letter;
    uint64_t count;
    struct epoll_event found;
    if (pipe(pipe_ends) != 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) {
        return 1;
    }
    copy = dup(pipe_ends[1]);
    event = eventfd(0, 0);
    poller = epoll_create1(0);
    pthread_create(&thread, NULL, sender, NULL);
    int sum = 0;
    if (read(pipe_ends[0], &letter, 1) == 1) sum += values[0];
    if (read(pipe_ends[0], &letter, 1) == 1) sum += values[1];
    if (recv(sockets[1], &letter, 1, 0) == 1) sum += values[2];
    if (epoll_wait(poller, &found, 1, -1) == 1) sum += values[4];
    if (read(event, &count, sizeof count) == sizeof count) sum += values[3];
    pthread_join(thread, NULL);
    printf("%d\n", sum);
    return 0;
}
