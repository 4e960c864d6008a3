// The sum of products of eight numbers, of which the last was never set.
// SANITIZE: memory
#include <emmintrin.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  short *numbers = malloc(8 * sizeof *numbers); // ALLOCATED
  int sums[4];
  if (!numbers)
    return 1;
  for (int i = 0; i < 7; i++)
    numbers[i] = i;
  __m128i loaded = _mm_loadu_si128((const __m128i *)numbers);
  _mm_storeu_si128((__m128i *)sums, _mm_madd_epi16(loaded, _mm_set1_epi16(3)));
  if (sums[0] != 3 || sums[1] != 15 || sums[2] != 27)
    return 2;
  puts(sums[3] > 20 ? "more" : "less"); // EXPECT: use-of-uninitialized-value
  free(numbers);
  return 0;
}
