#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int data[2], answer[2], talk[2];

static void *count(void *unused) {
    char buffer[8192], text[40];
    long total = 0;
    for (ssize_t n; (n = read(data[0], buffer, sizeof buffer)) > 0;) total += n;
    int length = snprintf(text, sizeof text, "read %ld\n", total);
    write(answer[1], text, length);
    return unused;
}

static void *echo(void *unused) {
    char buffer[64];
    for (int i = 0; i < 30; i++) {
        ssize_t n = recv(talk[1], buffer, sizeof buffer, 0);
        send(talk[1], buffer, n, 0);
    }
    return unused;
}

int main(void) {
    pthread_t reader, echoer;
    char line[50], message[64];
    if (pipe(data) || pipe(answer) || socketpair(AF_UNIX, SOCK_STREAM, 0, talk)) return 2;
    pthread_create(&reader, NULL, count, NULL);
    char *big = calloc(1, 300000);
    printf("wrote %ld\n", (long)write(data[1], big, 300000));
    close(data[1]);
    FILE *stream = fdopen(answer[0], "r");
    printf("%s", fgets(line, sizeof line, stream));
    pthread_join(reader, NULL);
    pthread_create(&echoer, NULL, echo, NULL);
    for (int i = 0; i < 30; i++) {
        snprintf(message, sizeof message, "message %d", i);
        send(talk[0], message, strlen(message) + 1, 0);
        struct pollfd wanted = {talk[0], POLLIN, 0};
        if (poll(&wanted, 1, 5000) != 1) return 3;
        recv(talk[0], message, sizeof message, 0);
    }
    pthread_join(echoer, NULL);
    puts(message);
    free(big);
    return 0;
}
