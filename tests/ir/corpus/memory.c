/* Memory: varargs, TLS, atomics, volatile, VLAs, inline assembly, indirect calls, aliases, ifunc. */
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

_Thread_local int per_thread = 3;
static __thread long private_thread;
atomic_int counter;
_Atomic long long big_counter;
volatile int device;
int in_section __attribute__((section(".special"), aligned(64))) = 1;
extern int weak_outside __attribute__((weak));
int common_like;
const int constants[3] = {1, 2, 3};
int *inside = (int *)&constants[1];
size_t distance = sizeof(constants);
struct list { struct list *next; int value; } head = {&head, 4};

int sum(int n, ...) {
  va_list ap, copy;
  int total = 0;
  va_start(ap, n);
  va_copy(copy, ap);
  for (int i = 0; i < n; i++) total += va_arg(ap, int);
  total += (int)va_arg(copy, double);
  va_end(copy);
  va_end(ap);
  return total;
}

int orders(int *p) {
  int expected = 3;
  atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
  atomic_store_explicit(&counter, 2, memory_order_release);
  atomic_thread_fence(memory_order_acq_rel);
  atomic_signal_fence(memory_order_seq_cst);
  atomic_compare_exchange_weak_explicit(&counter, &expected, 5, memory_order_acq_rel, memory_order_acquire);
  __atomic_exchange_n(p, 9, __ATOMIC_SEQ_CST);
  big_counter |= 7;
  return atomic_load_explicit(&counter, memory_order_acquire) + __atomic_nand_fetch(p, 1, __ATOMIC_SEQ_CST);
}

int stack(int n) {
  int vla[n];
  char buffer[32] = {0};
  memset(vla, 0, sizeof vla);
  memcpy(buffer, &n, sizeof n);
  device = vla[n - 1];
  return device + buffer[0] + per_thread++ + (int)private_thread;
}

unsigned long assembly(unsigned long x) {
  unsigned long r;
  __asm__ volatile("bswap %0\n\tnop" : "=r"(r) : "0"(x) : "cc", "memory");
  __asm__("" : "+r"(r));
  return r;
}

int jumps(int x) {
  asm goto("test %0, %0; jne %l1" : : "r"(x) : "cc" : out);
  return 1;
out:
  return 2;
}

typedef int (*operation)(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
operation operations[2] = {add, sub};
int apply(int which, int a, int b) { return operations[which & 1](a, b); }
int real_function(int a) { return a + 1; }
int alias_function(int) __attribute__((alias("real_function"), weak));
static operation resolve(void) { return add; }
int chosen(int, int) __attribute__((ifunc("resolve")));
__attribute__((visibility("hidden"))) int hidden(void) { return weak_outside; }
__attribute__((constructor(200))) static void first(void) { counter = 1; }
__attribute__((destructor)) static void last(void) { free(inside == NULL ? &head : NULL); }
__attribute__((noreturn, cold)) void die(void) { abort(); }
__attribute__((always_inline)) static inline int twice(int x) { return x * 2; }
int inlined(int a) { return twice(a) + twice(a + 1); }
__asm__(".globl from_assembly\nfrom_assembly:\n\tret\n");
