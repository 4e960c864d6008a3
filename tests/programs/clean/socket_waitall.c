// MSG_WAITALL waits for all of what another thread sends bit by bit, or for the end of the stream.
// STDOUT: recv 12: abcdefghijkl
// STDOUT: recvfrom 12: abcdefghijkl
// STDOUT: recvmsg 12: abcdefghijkl
// STDOUT: the low-water mark: 6: abcdef
// STDOUT: the rest: 6
// STDOUT: the end: 4: mnop
// STDOUT: TCP, looked at and read: 12 12: abcdefghijkl
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static int pair[2];
static char text[13];

static void *slow_sender(void *socket) {
    for (int i = 0; i < 4; i++) {
        usleep(1000);
        if (send(*(int *)socket, &"abcdefghijkl"[3 * i], 3, 0) != 3) return NULL;
    }
    return NULL;
}

static void *last_words(void *socket) {
    send(*(int *)socket, "mn", 2, 0);
    usleep(1000);
    send(*(int *)socket, "op", 2, 0);
    shutdown(*(int *)socket, SHUT_WR);
    return NULL;
}

static int receive_all(int way) {
    struct iovec pieces[2] = {{text, 4}, {text + 4, 8}};
    struct msghdr message = {.msg_iov = pieces, .msg_iovlen = 2};
    switch (way) {
    case 0: return (int)recv(pair[1], text, 12, MSG_WAITALL);
    case 1: return (int)recvfrom(pair[1], text, 12, MSG_WAITALL, NULL, NULL);
    default: return (int)recvmsg(pair[1], &message, MSG_WAITALL);
    }
}

static void over_tcp(void) {
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof here;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    bind(listener, (struct sockaddr *)&here, size);
    listen(listener, 1);
    getsockname(listener, (struct sockaddr *)&here, &size);
    pair[0] = socket(AF_INET, SOCK_STREAM, 0);
    connect(pair[0], (struct sockaddr *)&here, size);
    pair[1] = accept(listener, NULL, NULL);
    pthread_t thread;
    pthread_create(&thread, NULL, slow_sender, &pair[0]);
    int n_seen = (int)recv(pair[1], text, 12, MSG_WAITALL | MSG_PEEK);
    memset(text, 0, sizeof text);
    int n_read = (int)recv(pair[1], text, 12, MSG_WAITALL);
    printf("TCP, looked at and read: %d %d: %s\n", n_seen, n_read, text);
    pthread_join(thread, NULL);
    close(pair[0]), close(pair[1]), close(listener);
}

int main(void) {
    static const char *const names[] = {"recv", "recvfrom", "recvmsg"};
    pthread_t thread;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return 1;
    for (int way = 0; way < 3; way++) {
        memset(text, 0, sizeof text);
        pthread_create(&thread, NULL, slow_sender, &pair[0]);
        int n = receive_all(way);
        printf("%s %d: %s\n", names[way], n, text);
        pthread_join(thread, NULL);
    }
    int mark = 5;
    setsockopt(pair[1], SOL_SOCKET, SO_RCVLOWAT, &mark, sizeof mark);
    pthread_create(&thread, NULL, slow_sender, &pair[0]);
    memset(text, 0, sizeof text);
    int n = (int)recv(pair[1], text, 6, 0);
    printf("the low-water mark: %d: %s\n", n, text);
    pthread_join(thread, NULL);
    printf("the rest: %d\n", (int)recv(pair[1], text, 12, 0));
    pthread_create(&thread, NULL, last_words, &pair[0]);
    memset(text, 0, sizeof text);
    n = (int)recv(pair[1], text, 12, MSG_WAITALL);
    printf("the end: %d: %s\n", n, text);
    pthread_join(thread, NULL);
    close(pair[0]), close(pair[1]);
    over_tcp();
    return 0;
}
