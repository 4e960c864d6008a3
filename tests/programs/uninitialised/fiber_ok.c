// Two stacks of one thread, announced as MemorySanitizer's users do.
// NATIVE: false-alarm what __msan_finish_switch_fiber writes is unset to it
// STDOUT: 1 2 3
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

void __msan_start_switch_fiber(const void *bottom, size_t size);
void __msan_finish_switch_fiber(const void **bottom, size_t *size);

enum { SIZE = 1 << 16 };
static ucontext_t main_context, fiber_context;
static const void *main_bottom;
static size_t main_size;

static void run(void) {
  volatile int unset[8];
  __msan_finish_switch_fiber(&main_bottom, &main_size);
  unset[0] = 2;
  printf("%d ", unset[0]);
  __msan_start_switch_fiber(main_bottom, main_size);
  swapcontext(&fiber_context, &main_context);
}

int main(void) {
  char *stack = malloc(SIZE);
  if (!stack || getcontext(&fiber_context))
    return 1;
  fiber_context.uc_stack.ss_sp = stack;
  fiber_context.uc_stack.ss_size = SIZE;
  makecontext(&fiber_context, run, 0);
  printf("1 ");
  __msan_start_switch_fiber(stack, SIZE);
  swapcontext(&main_context, &fiber_context);
  const void *bottom;
  size_t size;
  __msan_finish_switch_fiber(&bottom, &size);
  printf("%d\n", bottom == stack && size == SIZE ? 3 : 0);
  free(stack);
  return 0;
}
