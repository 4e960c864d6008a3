// A record comes in pieces; the bug takes the first piece for the whole. Argument: file, pipe, socket, recv.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { N = 64 };
static int use_recv;

static ssize_t some(int fd, char *into, size_t n) {
    return use_recv ? recv(fd, into, n, 0) : read(fd, into, n);
}

static void put(int fd, const char *bytes, size_t n) {
    while (n) {
        ssize_t done = use_recv ? send(fd, bytes, n, 0) : write(fd, bytes, n);
        assert(done > 0);
        bytes += done, n -= done;
    }
}

static void get(int fd, char *into, size_t n) {
#ifdef FIXED
    for (size_t have = 0; have < n;) {
        ssize_t done = some(fd, into + have, n - have);
        assert(done > 0);
        have += done;
    }
#else
    assert(some(fd, into, n) == (ssize_t)n);
#endif
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "file";
    int ends[2];
    if (!strcmp(way, "pipe"))
        assert(pipe(ends) == 0);
    else if (!strcmp(way, "file")) {
        ends[0] = ends[1] = fileno(tmpfile());
    } else {
        assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
        use_recv = !strcmp(way, "recv");
    }
    char sent[N], got[N];
    memset(sent, 'x', N);
    for (int i = 0; i < 8; i++) {
        put(ends[1], sent, N);
        if (ends[0] == ends[1])
            lseek(ends[0], -N, SEEK_CUR);
        get(ends[0], got, N);
        assert(memcmp(sent, got, N) == 0);
    }
    return 0;
}
