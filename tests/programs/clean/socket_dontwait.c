// MSG_DONTWAIT does not wait while another thread lives, whichever call has it.
// STDOUT: 0 of 9 waited or went wrong
// STDOUT: a part is sent
// STDOUT: two of three messages
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { N_BYTES = 4000000 };
static int pair[2], stop[2];

static void *other(void *unused) {
    char letter;
    if (read(stop[0], &letter, 1) != 1) return NULL;
    return unused;
}

static int gives_up(ssize_t n) { return n == -1 && errno == EAGAIN; }

int main(void) {
    static char bytes[8];
    struct iovec piece = {bytes, sizeof bytes};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    struct mmsghdr three[3];
    memset(three, 0, sizeof three);
    for (int i = 0; i < 3; i++) three[i].msg_hdr = message;
    pthread_t thread;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0 || pipe(stop) != 0) return 1;
    pthread_create(&thread, NULL, other, NULL);
    int n_right = 0;
    n_right += gives_up(recv(pair[0], bytes, 8, MSG_DONTWAIT));
    n_right += gives_up(recvfrom(pair[0], bytes, 8, MSG_DONTWAIT | MSG_WAITALL, NULL, NULL));
    n_right += gives_up(recvmsg(pair[0], &message, MSG_DONTWAIT));
    n_right += gives_up(recvmmsg(pair[0], three, 3, MSG_DONTWAIT, NULL));
    char *many = calloc(1, N_BYTES);
    long n_sent = send(pair[0], many, N_BYTES, MSG_DONTWAIT);
    n_right += gives_up(send(pair[0], bytes, 8, MSG_DONTWAIT));
    n_right += gives_up(sendto(pair[0], bytes, 8, MSG_DONTWAIT, NULL, 0));
    n_right += gives_up(sendmsg(pair[0], &message, MSG_DONTWAIT));
    n_right += gives_up(sendmmsg(pair[0], three, 3, MSG_DONTWAIT));
    fcntl(pair[0], F_SETFL, O_NONBLOCK);
    n_right += gives_up(send(pair[0], bytes, 8, 0));
    printf("%d of 9 waited or went wrong\n", 9 - n_right);
    printf("%s\n", 0 < n_sent && n_sent < N_BYTES ? "a part is sent" : "nothing, or all");
    free(many);
    close(pair[0]), close(pair[1]);

    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) != 0) return 1;
    for (int i = 0; i < 2; i++) send(pair[1], "text", 4, 0);
    int n_came = recvmmsg(pair[0], three, 3, MSG_WAITFORONE, NULL);
    printf("%s of three messages\n", n_came == 2 && three[1].msg_len == 4 ? "two" : "not two");
    if (write(stop[1], "x", 1) != 1) return 1;
    pthread_join(thread, NULL);
    return 0;
}
