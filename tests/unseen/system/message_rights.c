// Sockets in detail: options, socket pairs of packets, recvmmsg, MSG_WAITALL, nonblocking connect.
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void *late_writer(void *argument) {
    int fd = *(int *)argument;
    for (int i = 0; i < 4; i++) {
        usleep(1000);
        assert(send(fd, &"abcd"[i % 2], 3, 0) == 3);
    }
    return NULL;
}

int main(void) {
    int pair[2], value;
    socklen_t size = sizeof value;
    assert(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) == 0);
    assert(getsockopt(pair[0], SOL_SOCKET, SO_TYPE, &value, &size) == 0 && value == SOCK_SEQPACKET && size == sizeof value);
    for (int i = 0; i < 3; i++) {
        char text[16];
        int n = snprintf(text, sizeof text, "packet %d", i * 100);
        assert(send(pair[0], text, (size_t)n, MSG_EOR) == n);
    }
    struct mmsghdr messages[4];
    struct iovec parts[4];
    char room[4][16];
    memset(messages, 0, sizeof messages);
    for (int i = 0; i < 4; i++) {
        parts[i] = (struct iovec){room[i], sizeof room[i]};
        messages[i].msg_hdr.msg_iov = &parts[i], messages[i].msg_hdr.msg_iovlen = 1;
    }
    int n = recvmmsg(pair[1], messages, 4, MSG_DONTWAIT, NULL);
    for (int i = 0; i < n; i++) printf("%.*s (%u) ", (int)messages[i].msg_len, room[i], messages[i].msg_len);
    printf("%d\n", n);
    close(pair[0]), close(pair[1]);

    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    pthread_t thread;
    pthread_create(&thread, NULL, late_writer, &pair[0]);
    char all[13] = "";
    assert(recv(pair[1], all, 12, MSG_WAITALL) == 12);
    pthread_join(thread, NULL);
    puts(all);
    assert(shutdown(pair[0], SHUT_WR) == 0 && recv(pair[1], all, 12, 0) == 0);
    close(pair[0]), close(pair[1]);

    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
    assert(setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0);
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    size = sizeof here;
    assert(bind(listener, (struct sockaddr *)&here, sizeof here) == 0 && getsockname(listener, (struct sockaddr *)&here, &size) == 0);
    assert(listen(listener, 1) == 0);
    int client = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    int result = connect(client, (struct sockaddr *)&here, sizeof here);
    assert(result == 0 || errno == EINPROGRESS);
    struct pollfd ready = {client, POLLOUT, 0};
    assert(poll(&ready, 1, 5000) == 1);
    size = sizeof value;
    assert(getsockopt(client, SOL_SOCKET, SO_ERROR, &value, &size) == 0 && value == 0);
    int server = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
    assert(server >= 0 && (fcntl(server, F_GETFL) & O_NONBLOCK));
    assert(recv(server, all, 1, 0) == -1 && errno == EAGAIN);
    struct linger linger = {1, 0};
    assert(setsockopt(client, SOL_SOCKET, SO_LINGER, &linger, sizeof linger) == 0);
    close(client);
    ready = (struct pollfd){server, POLLIN, 0};
    poll(&ready, 1, 5000);
    result = (int)recv(server, all, 1, 0);
    printf("%d %d\n", result, errno == ECONNRESET);
    close(server), close(listener);
    return 0;
}
