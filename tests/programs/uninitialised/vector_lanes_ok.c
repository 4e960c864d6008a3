// Vectors whose last lanes were never set: only the others decide.
// SANITIZE: memory
// STDOUT: 2 2 7 8 1
#include <emmintrin.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  float *block = malloc(4 * sizeof *block);
  short *halves = malloc(8 * sizeof *halves);
  if (!block || !halves)
    return 1;
  block[0] = block[1] = 2.0f;
  block[2] = 9.0f;
  for (int i = 0; i < 5; i++)
    halves[i] = 0x4000;
  __m128 least = _mm_min_ps(_mm_loadu_ps(block), _mm_set1_ps(7.0f));
  __m128i whole = _mm_cvtps_epi32(least);
  int numbers[4];
  _mm_storeu_si128((__m128i *)numbers, whole);
  for (int i = 0; i < 3; i++)
    printf("%d ", numbers[i] > 6 ? 7 : 2);
  short products[8];
  __m128i loaded = _mm_loadu_si128((const __m128i *)halves);
  _mm_storeu_si128((__m128i *)products, _mm_mulhi_epi16(loaded, _mm_set1_epi16(32)));
  int n_set = 3;
  for (int i = 0; i < 5; i++)
    n_set += products[i] == 8;
  int is_less = _mm_movemask_ps(_mm_cmplt_ps(least, _mm_set1_ps(3.0f))) & 1;
  printf("%d %d\n", n_set, is_less);
  free(halves);
  free(block);
  return 0;
}
