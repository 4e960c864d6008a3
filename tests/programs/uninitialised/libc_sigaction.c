// The mask of a handler was never set.
// SANITIZE: memory
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <stdio.h>

static void handle(int number) { (void)number; }

int main(void) {
  struct sigaction action;
  action.sa_handler = handle;
  action.sa_flags = 0;
  int status = sigaction(SIGUSR1, &action, NULL); // EXPECT: use-of-uninitialized-value
  printf("%d\n", status);
  return 0;
}
