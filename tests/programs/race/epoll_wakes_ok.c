// An eventfd is closed by whoever epoll has told of the write: the write came before.
// STDOUT: done
#include <pthread.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>
static int event_fd, written;

static void *writer(void *unused) {
    long long one = 1;
    written = 5;
    if (write(event_fd, &one, sizeof one) != sizeof one) return NULL;
    return unused;
}

int main(void) {
    pthread_t thread;
    struct epoll_event event = {.events = EPOLLIN | EPOLLET}, found;
    int poller = epoll_create1(0);
    event_fd = eventfd(0, 0);
    if (epoll_ctl(poller, EPOLL_CTL_ADD, event_fd, &event)) return 1;
    pthread_create(&thread, NULL, writer, NULL);
    if (epoll_wait(poller, &found, 1, -1) != 1 || written != 5) return 2;
    close(event_fd);
    pthread_join(thread, NULL);
    close(poller);
    puts("done");
    return 0;
}
