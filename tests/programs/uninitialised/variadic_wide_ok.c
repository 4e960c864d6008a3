// Only lanes that were set are looked at of a vector of 32 bytes behind the dots.
// SANITIZE: memory
// STDOUT: lane
// STDOUT: behind
// EXIT: 0
// CFLAGS: -fno-sanitize-memory-param-retval
#include <cpuid.h>
#include <immintrin.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline, target("avx"))) static void take(int *above, int n, ...) {
  va_list list;
  va_start(list, n);
  __m256 wide = va_arg(list, __m256);
  long behind = va_arg(list, long);
  va_end(list);
  float lanes[8];
  _mm256_storeu_ps(lanes, wide);
  above[0] = lanes[n] > 1;
  above[1] = behind > 1;
}

__attribute__((noinline, target("avx"))) static void wide(
    int *above, int n, const float *from, const long *behind) {
  take(above, n, _mm256_loadu_ps(from), *behind);
}

// For processors without AVX.
__attribute__((noinline)) static void narrow(
    int *above, int n, const float *from, const long *behind) {
  above[0] = from[n] > 1;
  above[1] = *behind > 1;
}

static int has_wide(void) {
  unsigned a, b, c = 0, d;
  return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_OSXSAVE) && (c & bit_AVX);
}

int main(void) {
  float *from = malloc(8 * sizeof *from);
  long *behind = malloc(sizeof *behind);
  int *above = malloc(2 * sizeof *above);
  if (!from || !behind || !above)
    return 1;
  for (int i = 0; i < 7; i++)
    from[i] = 2;
  *behind = 2;
  (has_wide() ? wide : narrow)(above, 6, from, behind);
  if (above[0])
    puts("lane");
  if (above[1])
    puts("behind");
  free(above);
  free(behind);
  free(from);
  return 0;
}
