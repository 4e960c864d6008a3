// A part of a message was never set.
// SANITIZE: memory
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

int main(void) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
    return 1;
  char head[4], tail[4];
  memset(head, 'a', sizeof head);
  struct iovec parts[2] = {{head, sizeof head}, {tail, sizeof tail}};
  struct msghdr message;
  memset(&message, 0, sizeof message);
  message.msg_iov = parts;
  message.msg_iovlen = 2;
  ssize_t sent = sendmsg(ends[0], &message, 0); // EXPECT: use-of-uninitialized-value
  printf("%zd\n", sent);
  return 0;
}
