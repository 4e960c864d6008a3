// An eventfd is closed by whoever epoll has told of another one: its writer may still be at work.
#include <pthread.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>
static int watched, other;

static void *writer(void *unused) {
    long long one = 1;
    if (write(watched, &one, sizeof one) != sizeof one) return NULL;
    if (write(other, &one, sizeof one) != sizeof one) return NULL; // PREVIOUS
    return unused;
}

int main(void) {
    pthread_t thread;
    struct epoll_event event = {.events = EPOLLIN | EPOLLET}, found;
    int poller = epoll_create1(0);
    watched = eventfd(0, 0);
    other = eventfd(0, 0);
    if (epoll_ctl(poller, EPOLL_CTL_ADD, watched, &event)) return 1;
    pthread_create(&thread, NULL, writer, NULL);
    if (epoll_wait(poller, &found, 1, -1) != 1) return 2;
    usleep(1000);
    close(other); // EXPECT: data race write 8
    pthread_join(thread, NULL);
    puts("done");
    return 0;
}
