// Structures that system calls take: padding and parts that they leave alone are not set.
// SANITIZE: memory
// STDOUT: 8 5 1 1 0 0 0 0 1 line 1
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t rung;

static void ring(int number) { rung = number; }

static ssize_t send_parts(int end, int passed) {
  char head[4], tail[4], control[CMSG_SPACE(sizeof(int))];
  memset(head, 'a', sizeof head);
  memset(tail, 'b', sizeof tail);
  struct iovec parts[2] = {{head, sizeof head}, {tail, sizeof tail}};
  struct msghdr message;
  message.msg_name = NULL;
  message.msg_iov = parts;
  message.msg_iovlen = 2;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  struct cmsghdr *first = CMSG_FIRSTHDR(&message);
  first->cmsg_level = SOL_SOCKET;
  first->cmsg_type = SCM_RIGHTS;
  first->cmsg_len = CMSG_LEN(sizeof passed);
  memcpy(CMSG_DATA(first), &passed, sizeof passed);
  return sendmsg(end, &message, 0);
}

static int wait_for(int end) {
  struct epoll_event event, got;
  int poller = epoll_create1(0);
  event.events = EPOLLIN;
  event.data.fd = end;
  struct timespec span = {0, 1000};
  struct pollfd asked;
  asked.fd = end;
  asked.events = POLLIN;
  sigset_t mask;
  sigemptyset(&mask);
  int ready = ppoll(&asked, 1, &span, &mask);
  if (epoll_ctl(poller, EPOLL_CTL_ADD, end, &event))
    return -1;
  ready += epoll_wait(poller, &got, 1, 0) - (got.data.fd == end);
  epoll_ctl(poller, EPOLL_CTL_DEL, end, &event);
  return ready;
}

static int bind_somewhere(void) {
  int end = socket(AF_INET, SOCK_DGRAM, 0), yes = 1;
  struct sockaddr_in address;
  address.sin_family = AF_INET;
  address.sin_port = 0;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (setsockopt(end, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes))
    return 1;
  if (bind(end, (struct sockaddr *)&address, sizeof address))
    return 2;
  socklen_t size = sizeof address;
  if (getsockname(end, (struct sockaddr *)&address, &size) || !address.sin_port)
    return 3;
  return sendto(end, "x", 1, 0, (struct sockaddr *)&address, sizeof address) != 1;
}

static int ring_later(void) {
  struct sigaction action, old;
  action.sa_handler = ring;
  action.sa_flags = 0;
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGALRM, &action, &old) || old.sa_handler != SIG_DFL)
    return 1;
  struct itimerval once, left;
  once.it_interval.tv_sec = once.it_interval.tv_usec = once.it_value.tv_sec = 0;
  once.it_value.tv_usec = 1000;
  if (setitimer(ITIMER_REAL, &once, &left) || left.it_value.tv_sec)
    return 2;
  struct timespec span = {5, 0}, rest;
  if (nanosleep(&span, &rest) != -1 || rest.tv_sec > 5 || rung != SIGALRM)
    return 3;
  return clock_nanosleep(CLOCK_MONOTONIC, 0, &rest, NULL);
}

static int year_of(time_t when) {
  struct tm date, again;
  gmtime_r(&when, &date);
  again.tm_sec = date.tm_sec, again.tm_min = date.tm_min, again.tm_hour = date.tm_hour;
  again.tm_mday = date.tm_mday, again.tm_mon = date.tm_mon, again.tm_year = date.tm_year;
  if (timegm(&again) != when)
    return 1;
  again.tm_isdst = 0;
  char text[32], shown[64];
  return mktime(&again) == -1 || !asctime_r(&again, text) || !strftime(shown, 64, "%Y", &again);
}

int main(void) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
    return 1;
  printf("%zd ", send_parts(ends[0], 1));
  struct iovec one = {"hello", 5};
  printf("%zd ", writev(ends[0], &one, 1));
  printf("%d ", wait_for(ends[1]));
  unsigned seed = 1;
  printf("%d ", rand_r(&seed) >= 0 && seed != 1);
  printf("%d %d %d ", bind_somewhere(), ring_later(), year_of(1000000));
  fd_set set;
  FD_ZERO(&set);
  FD_SET(ends[0], &set);
  struct timeval span = {0, 10};
  printf("%d ", select(ends[0] + 1, &set, NULL, NULL, &span));
  char *line = NULL;
  size_t size;
  FILE *stream = fmemopen("line", 4, "r");
  printf("%zd ", getline(&line, &size, stream) - 3);
  printf("%s %d\n", line, size >= 5);
  return 0;
}
