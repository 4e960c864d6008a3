// Searches and sums by vectors that read past what was set, and heed only what was.
// SANITIZE: memory
// NATIVE: false-alarm it takes what it has no rule for as a use
// STDOUT: 4 11 1
// STDOUT: 0 3 15 27 18
// STDOUT: 120 2
#include <emmintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static int length(const char *text) {
  __m128i loaded = _mm_loadu_si128((const __m128i *)text);
  int found = _mm_movemask_epi8(_mm_cmpeq_epi8(loaded, _mm_setzero_si128()));
  return found ? __builtin_ctz(found) : 16;
}

int main(void) {
  char *text = malloc(16);
  short *numbers = malloc(8 * sizeof *numbers);
  if (!text || !numbers)
    return 1;
  memcpy(text, "four", 5);
  printf("%d ", length(text));
  memcpy(text, "eleven long", 12);
  printf("%d ", length(text));
  strcpy(text, "x");
  printf("%d\n", length(text));
  for (int i = 0; i < 7; i++)
    numbers[i] = i;
  // The last number is multiplied by nothing.
  __m128i factors = _mm_set_epi16(0, 3, 3, 3, 3, 3, 3, 3);
  __m128i loaded = _mm_loadu_si128((const __m128i *)numbers);
  int sums[4];
  _mm_storeu_si128((__m128i *)sums, _mm_madd_epi16(loaded, factors));
  printf("%d", sums[0] > 9);
  for (int i = 0; i < 4; i++)
    printf(" %d", sums[i]);
  char *fresh = malloc(16);
  if (!fresh)
    return 1;
  memcpy(fresh, "\17\17\17\17\17\17\17\17", 8);
  __m128i half = _mm_loadu_si128((const __m128i *)fresh);
  __m128i far = _mm_sad_epu8(half, _mm_setzero_si128());
  __m128i packed = _mm_packs_epi16(_mm_set1_epi16(2), half);
  printf("\n%d %d\n", _mm_cvtsi128_si32(far), _mm_cvtsi128_si32(packed) & 0xff);
  free(fresh);
  free(numbers);
  free(text);
  return 0;
}
