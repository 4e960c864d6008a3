// A lane of AVX-512 that its mask has on, computed from numbers that were never set.
// SANITIZE: memory
// NATIVE: skip it takes the instruction itself as the use, so the line is another
#include <cpuid.h>
#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline, target("avx512f"))) static void wide(
    const float *from, int n_lanes, int *above) {
  __m512 loaded = _mm512_loadu_ps(from);
  __mmask16 on = (__mmask16)((1u << n_lanes) - 1);
  __m512 made = _mm512_mask_getexp_ps(_mm512_set1_ps(1), on, loaded);
  *above = _mm512_cmp_ps_mask(made, _mm512_set1_ps(2), _CMP_GT_OQ);
}

// For processors without AVX-512.
__attribute__((noinline)) static void narrow(const float *from, int n_lanes, int *above) {
  *above = 0;
  for (int i = 0; i < n_lanes; i++)
    *above |= (from[i] >= 8) << i;
}

static int has_wide(void) {
  unsigned a, b = 0, c, d;
  unsigned saved = 0, high;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE))
    return 0;
  __asm__("xgetbv" : "=a"(saved), "=d"(high) : "c"(0));
  return (saved & 0xe6) == 0xe6 && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_AVX512F);
}

int main(void) {
  float *numbers = malloc(16 * sizeof *numbers); // ALLOCATED
  int *above = malloc(sizeof *above);
  if (!numbers || !above)
    return 1;
  for (int i = 0; i < 10; i++)
    numbers[i] = 1 << i;
  (has_wide() ? wide : narrow)(numbers, 12, above);
  if (*above >> 10) // EXPECT: use-of-uninitialized-value
    puts("some");
  free(above);
  free(numbers);
  return 0;
}
