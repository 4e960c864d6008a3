// A float that was never set is converted by an instruction for vectors, and its lane decides.
// SANITIZE: memory
#include <emmintrin.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  float *block = malloc(4 * sizeof *block);
  if (!block)
    return 1;
  block[0] = block[1] = block[2] = 2.5f;
  __m128 least = _mm_min_ps(_mm_loadu_ps(block), _mm_set1_ps(7.0f));
  int numbers[4];
  _mm_storeu_si128((__m128i *)numbers, _mm_cvtps_epi32(least));
  if (numbers[3] > 3) // EXPECT: use-of-uninitialized-value
    puts("big");
  free(block);
  return 0;
}
