// An event loop over pipes and an eventfd with epoll, level and edge triggered.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { SOURCES = 4, MESSAGES = 10 };
static int ends[SOURCES][2], finished;

static void *source(void *argument) {
    long id = (long)argument;
    for (int i = 0; i < MESSAGES; i++) {
        int message = (int)id * 100 + i;
        if (write(ends[id][1], &message, sizeof message) != sizeof message) return NULL;
    }
    uint64_t one = 1;
    if (write(finished, &one, sizeof one) != sizeof one) return NULL;
    return argument;
}

int main(void) {
    int poll = epoll_create1(EPOLL_CLOEXEC);
    finished = eventfd(0, EFD_NONBLOCK | EFD_SEMAPHORE);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = SOURCES};
    assert(epoll_ctl(poll, EPOLL_CTL_ADD, finished, &event) == 0);
    pthread_t threads[SOURCES];
    for (unsigned i = 0; i < SOURCES; i++) {
        assert(pipe2(ends[i], O_NONBLOCK) == 0);
        event.events = i % 2 ? EPOLLIN | EPOLLET : EPOLLIN;
        event.data.u32 = i;
        assert(epoll_ctl(poll, EPOLL_CTL_ADD, ends[i][0], &event) == 0);
    }
    for (long i = 0; i < SOURCES; i++) pthread_create(&threads[i], NULL, source, (void *)i);
    int counts[SOURCES] = {0}, ended = 0, in_order = 1, total = 0;
    while (ended < SOURCES || total < SOURCES * MESSAGES) {
        struct epoll_event ready[3];
        int n = epoll_wait(poll, ready, 3, 10000);
        assert(n > 0);
        for (int k = 0; k < n; k++) {
            unsigned id = ready[k].data.u32;
            uint64_t one;
            if (id == SOURCES) {
                if (read(finished, &one, sizeof one) == sizeof one) ended++;
                continue;
            }
            int message;
            while (read(ends[id][0], &message, sizeof message) == sizeof message) {
                in_order &= message == (int)id * 100 + counts[id]++;
                total++;
            }
            assert(errno == EAGAIN);
        }
    }
    for (int i = 0; i < SOURCES; i++) {
        void *result;
        pthread_join(threads[i], &result);
        assert(result == (void *)(long)i && counts[i] == MESSAGES);
        assert(epoll_ctl(poll, EPOLL_CTL_DEL, ends[i][0], NULL) == 0);
        close(ends[i][0]), close(ends[i][1]);
    }
    struct epoll_event none;
    printf("%d messages, in order %d, then %d\n", total, in_order, epoll_wait(poll, &none, 1, 5));
    close(poll), close(finished);
    return 0;
}
