// An echo server and its clients over TCP on the loopback, in threads.
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CLIENTS = 3, ROUNDS = 5 };
static unsigned short port;

static void *serve_one(void *argument) {
    int fd = *(int *)argument;
    char buffer[256];
    ssize_t n;
    while ((n = recv(fd, buffer, sizeof buffer, 0)) > 0)
        for (ssize_t done = 0; done < n;) done += send(fd, buffer + done, (size_t)(n - done), MSG_NOSIGNAL);
    close(fd);
    return NULL;
}

static void *client(void *argument) {
    long id = (long)argument, good = 0;
    int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
    inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
    assert(connect(fd, (struct sockaddr *)&to, sizeof to) == 0);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    for (int round = 0; round < ROUNDS; round++) {
        char text[64], back[64] = "";
        int size = snprintf(text, sizeof text, "client %ld says %d", id, round * round);
        assert(write(fd, text, (size_t)size) == size);
        int got = 0;
        while (got < size) {
            ssize_t n = read(fd, back + got, (size_t)(size - got));
            assert(n > 0);
            got += (int)n;
        }
        good += !strcmp(text, back);
    }
    shutdown(fd, SHUT_WR);
    char rest;
    assert(read(fd, &rest, 1) == 0);
    close(fd);
    return (void *)good;
}

int main(void) {
    int listener = socket(AF_INET, SOCK_STREAM, 0), fds[CLIENTS];
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    assert(bind(listener, (struct sockaddr *)&here, sizeof here) == 0 && listen(listener, 8) == 0);
    socklen_t size = sizeof here;
    assert(getsockname(listener, (struct sockaddr *)&here, &size) == 0);
    port = ntohs(here.sin_port);
    pthread_t clients[CLIENTS], servers[CLIENTS];
    for (long i = 0; i < CLIENTS; i++) pthread_create(&clients[i], NULL, client, (void *)i);
    for (int i = 0; i < CLIENTS; i++) {
        struct sockaddr_in peer;
        socklen_t length = sizeof peer;
        fds[i] = accept(listener, (struct sockaddr *)&peer, &length);
        assert(fds[i] >= 0 && peer.sin_addr.s_addr == htonl(INADDR_LOOPBACK));
        pthread_create(&servers[i], NULL, serve_one, &fds[i]);
    }
    long good = 0;
    for (int i = 0; i < CLIENTS; i++) {
        void *result;
        pthread_join(clients[i], &result);
        pthread_join(servers[i], NULL);
        good += (long)result;
    }
    close(listener);
    printf("%ld echoes\n", good);
    return good == CLIENTS * ROUNDS ? 0 : 1;
}
