// More than a socket holds goes to another thread, by every call that sends; none stops the other.
// STDOUT: send 1000000, 1000000 came in order
// STDOUT: sendto 1000000, 1000000 came in order
// STDOUT: sendmsg 1000000, 1000000 came in order
// STDOUT: sendmmsg 1000000, 1000000 came in order
// STDOUT: write 1000000, 1000000 came in order
// STDOUT: writev 1000000, 1000000 came in order
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { N_BYTES = 1000000, N_PIECES = 3 };
static int pair[2];

static void *reader(void *unused) {
    static unsigned char part[30000];
    long n_came = 0, n_wrong = 0;
    ssize_t n;
    while ((n = recv(pair[1], part, sizeof part, 0)) > 0) {
        for (ssize_t i = 0; i < n; i++) n_wrong += part[i] != (n_came + i) % 251;
        n_came += n;
    }
    printf("%ld came%s\n", n_came, n_wrong == 0 ? " in order" : ", some wrong");
    return unused;
}

static long send_all(int way, char *bytes) {
    struct iovec pieces[N_PIECES] = {
        {bytes, 10}, {bytes + 10, N_BYTES / 2}, {bytes + 10 + N_BYTES / 2, N_BYTES / 2 - 10}};
    struct mmsghdr two[2];
    memset(two, 0, sizeof two);
    two[0].msg_hdr = (struct msghdr){.msg_iov = pieces, .msg_iovlen = 1};
    two[1].msg_hdr = (struct msghdr){.msg_iov = pieces + 1, .msg_iovlen = 2};
    struct msghdr all = {.msg_iov = pieces, .msg_iovlen = N_PIECES};
    switch (way) {
    case 0: return send(pair[0], bytes, N_BYTES, 0);
    case 1: return sendto(pair[0], bytes, N_BYTES, 0, NULL, 0);
    case 2: return sendmsg(pair[0], &all, 0);
    case 3:
        if (sendmmsg(pair[0], two, 2, 0) != 2) return -1;
        return (long)two[0].msg_len + two[1].msg_len;
    case 4: return write(pair[0], bytes, N_BYTES);
    default: return writev(pair[0], pieces, N_PIECES);
    }
}

int main(void) {
    static const char *const names[] = {"send", "sendto", "sendmsg", "sendmmsg", "write", "writev"};
    char *bytes = malloc(N_BYTES);
    for (int i = 0; i < N_BYTES; i++) bytes[i] = (char)(i % 251);
    for (int way = 0; way < 6; way++) {
        pthread_t thread;
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return 1;
        pthread_create(&thread, NULL, reader, NULL);
        long n_sent = send_all(way, bytes);
        printf("%s %ld, ", names[way], n_sent);
        shutdown(pair[0], SHUT_WR);
        pthread_join(thread, NULL);
        close(pair[0]), close(pair[1]);
    }
    free(bytes);
    return 0;
}
