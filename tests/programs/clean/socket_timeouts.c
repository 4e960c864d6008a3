// SO_RCVTIMEO and SO_SNDTIMEO end calls beside a thread that waits, after their time, with EAGAIN.
// STDOUT: recv: gave up in time
// STDOUT: read: gave up in time
// STDOUT: recvmmsg: gave up in time
// STDOUT: accept: gave up in time
// STDOUT: WAITALL gave 3
// STDOUT: what came before the time: 2
// STDOUT: send gave a part, then up in time
// STDOUT: recvmmsg with a timeout of its own: 1
// SEEDS: few it waits for real time
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { N_BYTES = 4000000 };
static int pair[2], stop[2];

static void *other(void *unused) {
    char letter;
    if (read(stop[0], &letter, 1) != 1) return NULL;
    return unused;
}

static void *late_sender(void *unused) {
    usleep(10000);
    send(pair[1], "hi", 2, 0);
    return unused;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static const char *in_time(ssize_t n, double began) {
    double took = now() - began;
    if (n != -1 || errno != EAGAIN) return "came back otherwise";
    return took >= 0.045 ? "gave up in time" : "gave up too early";
}

static void limit(int socket, int option) {
    struct timeval span = {.tv_usec = 50000};
    setsockopt(socket, SOL_SOCKET, option, &span, sizeof span);
}

int main(void) {
    char text[8], *many = calloc(1, N_BYTES);
    struct iovec piece = {text, sizeof text};
    struct mmsghdr two[2];
    memset(two, 0, sizeof two);
    for (int i = 0; i < 2; i++) two[i].msg_hdr.msg_iov = &piece, two[i].msg_hdr.msg_iovlen = 1;
    pthread_t thread, sender;
    struct sockaddr_un nowhere = {.sun_family = AF_UNIX};
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    bind(listener, (struct sockaddr *)&nowhere, sizeof nowhere.sun_family);
    listen(listener, 1);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0 || pipe(stop) != 0) return 1;
    limit(pair[0], SO_RCVTIMEO), limit(pair[0], SO_SNDTIMEO), limit(listener, SO_RCVTIMEO);
    pthread_create(&thread, NULL, other, NULL);
    double began = now();
    printf("recv: %s\n", in_time(recv(pair[0], text, 8, 0), began));
    began = now();
    printf("read: %s\n", in_time(read(pair[0], text, 8), began));
    began = now();
    printf("recvmmsg: %s\n", in_time(recvmmsg(pair[0], two, 2, 0, NULL), began));
    began = now();
    printf("accept: %s\n", in_time(accept(listener, NULL, NULL), began));
    send(pair[1], "abc", 3, 0);
    printf("WAITALL gave %d\n", (int)recv(pair[0], text, 8, MSG_WAITALL));
    pthread_create(&sender, NULL, late_sender, NULL);
    printf("what came before the time: %d\n", (int)recv(pair[0], text, 8, 0));
    pthread_join(sender, NULL);
    long n_sent = send(pair[0], many, N_BYTES, 0);
    began = now();
    const char *end = in_time(send(pair[0], many, N_BYTES, 0), began);
    printf("send %s, then %s\n", 0 < n_sent && n_sent < N_BYTES ? "gave a part" : "gave no part",
           strcmp(end, "gave up in time") == 0 ? "up in time" : end);
    free(many);
    int messages[2];
    socketpair(AF_UNIX, SOCK_DGRAM, 0, messages);
    send(messages[1], "text", 4, 0);
    struct timespec span = {.tv_nsec = 1000000};
    pair[1] = messages[1];
    pthread_create(&sender, NULL, late_sender, NULL);
    int n = recvmmsg(messages[0], two, 1, 0, &span);
    printf("recvmmsg with a timeout of its own: %d\n", n);
    pthread_join(sender, NULL);
    if (write(stop[1], "x", 1) != 1) return 1;
    pthread_join(thread, NULL);
    return 0;
}
