// What ppoll is to wait for was never set.
// SANITIZE: memory
#define _GNU_SOURCE
#include <poll.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  if (pipe(ends))
    return 1;
  struct pollfd asked[1];
  asked[0].fd = ends[1];
  struct timespec none = {0, 0};
  int ready = ppoll(asked, 1, &none, NULL); // EXPECT: use-of-uninitialized-value
  printf("%d\n", ready);
  return 0;
}
