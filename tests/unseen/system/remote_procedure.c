// A server process answers requests over a socket pair: framed messages, partial reads, shutdown.
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

struct header {
    uint16_t kind, size;
};
enum { REVERSE = 1, SUM = 2, QUIT = 3 };

static int read_all(int fd, void *target, size_t size) {
    char *at = target;
    while (size) {
        ssize_t n = read(fd, at, size);
        if (n == 0) return 0;
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return -1;
        at += n, size -= (size_t)n;
    }
    return 1;
}

static void send_frame(int fd, uint16_t kind, const void *body, uint16_t size) {
    struct header header = {kind, size};
    struct iovec parts[] = {{&header, sizeof header}, {(void *)(uintptr_t)body, size}};
    assert(writev(fd, parts, 2) == (ssize_t)(sizeof header + size));
}

static void *receive_frame(int fd, struct header *header) {
    if (read_all(fd, header, sizeof *header) != 1) return NULL;
    char *body = malloc(header->size + 1u);
    if (header->size && read_all(fd, body, header->size) != 1) abort();
    body[header->size] = 0;
    return body;
}

static int serve(int fd) {
    struct header header;
    int served = 0;
    for (char *body; (body = receive_frame(fd, &header)); free(body), served++) {
        if (header.kind == QUIT) {
            free(body);
            break;
        }
        if (header.kind == REVERSE) {
            for (int i = 0, k = header.size - 1; i < k; i++, k--) {
                char c = body[i];
                body[i] = body[k], body[k] = c;
            }
            send_frame(fd, REVERSE, body, header.size);
        } else {
            int32_t sum = 0, value;
            for (size_t i = 0; i + 4 <= header.size; i += 4) memcpy(&value, body + i, 4), sum += value;
            send_frame(fd, SUM, &sum, sizeof sum);
        }
    }
    return served;
}

int main(void) {
    int ends[2];
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    pid_t child = fork();
    if (!child) {
        close(ends[0]);
        _exit(serve(ends[1]));
    }
    close(ends[1]);
    const char *texts[] = {"hello", "", "a longer text to be reversed"};
    struct header header;
    for (int i = 0; i < 3; i++) {
        send_frame(ends[0], REVERSE, texts[i], (uint16_t)strlen(texts[i]));
        char *answer = receive_frame(ends[0], &header);
        printf("[%s]\n", answer);
        free(answer);
    }
    int32_t numbers[1000];
    for (int i = 0; i < 1000; i++) numbers[i] = i * 3;
    send_frame(ends[0], SUM, numbers, sizeof numbers);
    int32_t *sum = receive_frame(ends[0], &header);
    printf("%d %u\n", *sum, header.size);
    free(sum);
    send_frame(ends[0], QUIT, NULL, 0);
    assert(!receive_frame(ends[0], &header));
    int status;
    waitpid(child, &status, 0);
    printf("served %d\n", WEXITSTATUS(status));
    close(ends[0]);
    return 0;
}
