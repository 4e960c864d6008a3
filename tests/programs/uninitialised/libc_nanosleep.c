// The nanoseconds of a sleep were never set.
// SANITIZE: memory
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <time.h>

int main(void) {
  struct timespec span;
  span.tv_sec = 0;
  int status = nanosleep(&span, NULL); // EXPECT: use-of-uninitialized-value
  printf("%d\n", status);
  return 0;
}
