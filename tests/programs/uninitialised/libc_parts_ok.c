// What library functions read is set, and what else there is need not be.
// STDOUT: ab 1 2 70
#define _POSIX_C_SOURCE 200809L
#include <iconv.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  char text[8], room[16];
  text[0] = 'a';
  text[1] = 'b';
  char *copy = strndup(text, 2);
  char *from = text, *to = room;
  size_t n_from = 2, n_to = sizeof room;
  iconv_t converter = iconv_open("UTF-8", "LATIN1");
  if (!copy || converter == (iconv_t)-1 || iconv(converter, &from, &n_from, &to, &n_to))
    return 1;
  int ends[2];
  if (pipe(ends))
    return 2;
  struct pollfd asked[1];
  asked[0].fd = ends[1];
  asked[0].events = POLLOUT;
  int ready = poll(asked, 1, 0);
  time_t when = 5;
  struct tm parts;
  if (!gmtime_r(&when, &parts) || asked[0].revents != POLLOUT || memcmp(room, "ab", 2))
    return 3;
  printf("%s %d %td %d\n", copy, ready, to - room, parts.tm_year);
  iconv_close(converter);
  free(copy);
  return 0;
}
