// Unix sockets: datagrams with names, a passed descriptor, credentials, a socket pair.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static void send_descriptor(int channel, int fd) {
    char byte = 'd';
    struct iovec part = {&byte, 1};
    union {
        char room[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control;
    memset(&control, 0, sizeof control);
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.room, .msg_controllen = sizeof control.room};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET, head->cmsg_type = SCM_RIGHTS, head->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(head), &fd, sizeof fd);
    assert(sendmsg(channel, &message, 0) == 1);
}

static int receive_descriptor(int channel) {
    char byte;
    struct iovec part = {&byte, 1};
    union {
        char room[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control;
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.room, .msg_controllen = sizeof control.room};
    assert(recvmsg(channel, &message, 0) == 1 && byte == 'd');
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    assert(head && head->cmsg_type == SCM_RIGHTS);
    int fd;
    memcpy(&fd, CMSG_DATA(head), sizeof fd);
    return fd;
}

int main(void) {
    int pair[2];
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    pid_t child = fork();
    if (!child) {
        int ends[2];
        if (pipe(ends)) _exit(9);
        send_descriptor(pair[1], ends[0]);
        close(ends[0]);
        dprintf(ends[1], "through a passed pipe");
        _exit(0);
    }
    close(pair[1]);
    int fd = receive_descriptor(pair[0]);
    char text[64] = "";
    size_t got = 0;
    ssize_t n;
    while ((n = read(fd, text + got, sizeof text - 1 - got)) > 0) got += (size_t)n;
    puts(text);
    int status;
    waitpid(child, &status, 0);
    assert(status == 0);
    close(fd), close(pair[0]);

    struct sockaddr_un name = {.sun_family = AF_UNIX}, from;
    snprintf(name.sun_path, sizeof name.sun_path, "/tmp/dgram_%d.sock", (int)getpid());
    unlink(name.sun_path);
    int server = socket(AF_UNIX, SOCK_DGRAM, 0), client = socket(AF_UNIX, SOCK_DGRAM, 0);
    assert(bind(server, (struct sockaddr *)&name, sizeof name) == 0);
    assert(connect(client, (struct sockaddr *)&name, sizeof name) == 0);
    send(client, "one", 3, 0), send(client, "three", 5, 0), send(client, "", 0, 0);
    socklen_t length = sizeof from;
    char packet[16];
    printf("%zd ", recvfrom(server, packet, sizeof packet, MSG_PEEK, (struct sockaddr *)&from, &length));
    for (int i = 0; i < 3; i++) printf("%zd ", recv(server, packet, sizeof packet, 0));
    printf("%zd\n", recv(server, packet, sizeof packet, MSG_DONTWAIT));
    unlink(name.sun_path);
    close(server), close(client);
    return 0;
}
