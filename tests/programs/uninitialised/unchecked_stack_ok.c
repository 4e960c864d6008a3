// Variables of an unchecked function count as initialised, where a call before has left others.
// STDOUT: ok
#include <stdio.h>

__attribute__((noinline)) static void leave(volatile int *sink) {
  volatile int unset[64];
  sink[0] = 1;
  sink[1] = (int)(sizeof unset / sizeof unset[0]);
}

__attribute__((noinline)) static int decide(const volatile int *at) {
  return at[5] == 99 ? 1 : 0;
}

__attribute__((noinline, no_sanitize("memory"))) static int pass_on(void) {
  volatile int numbers[64];
  numbers[0] = 1;
  return decide(numbers);
}

int main(void) {
  volatile int sink[2];
  leave(sink);
  puts(pass_on() + sink[0] < 3 ? "ok" : "odd");
  return 0;
}
