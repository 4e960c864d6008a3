// A call ends with EINTR; the bug takes -1 for a length or for the end. Argument: which call.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int ends[2];
static sem_t ready;
static char buffer[8];

static long call(const char *way) {
    if (!strcmp(way, "read")) return read(ends[0], buffer, 1);
    if (!strcmp(way, "write")) return write(ends[1], buffer, 1);
    if (!strcmp(way, "recv")) return recv(ends[0], buffer, 1, 0);
    if (!strcmp(way, "send")) return send(ends[1], buffer, 1, 0);
    if (!strcmp(way, "poll")) {
        struct pollfd one = {ends[1], POLLIN, 0};
        return poll(&one, 1, 5);
    }
    if (!strcmp(way, "sem")) {
        struct timespec soon;
        clock_gettime(CLOCK_REALTIME, &soon);
        soon.tv_nsec += 1000;
        long got = sem_timedwait(&ready, &soon);
        return got < 0 && errno == ETIMEDOUT ? 0 : got;
    }
    if (!strcmp(way, "sleep")) {
        struct timespec span = {0, 1000};
        return nanosleep(&span, NULL);
    }
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    return waitpid(child, NULL, 0);
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "read";
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    sem_init(&ready, 0, 0);
    for (int i = 0; i < 20; i++)
        assert(send(ends[1], "xxxxx", 1, MSG_DONTWAIT) == 1);
    for (int i = 0; i < 12; i++) {
        long got = call(way);
#ifdef FIXED
        if (got < 0) {
            assert(errno == EINTR);
            got = call(way);  // the program loops, and never twice in a row
        }
#endif
        assert(got >= 0);
    }
    return 0;
}
