// A round of AES with a state of which a byte was never set.
// SANITIZE: memory
// NATIVE: miss it does not know which bytes a column comes from
#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noinline, target("aes,sse4.1"))) static int round_of(const char *state) {
  __m128i loaded = _mm_loadu_si128((const __m128i *)state);
  __m128i mixed = _mm_aesenc_si128(loaded, _mm_set1_epi8(7));
  return _mm_extract_epi32(mixed, 0); // EXPECT: use-of-uninitialized-value
}

int main(void) {
  char *state = malloc(16); // ALLOCATED
  if (!state)
    return 1;
  memset(state, 3, 15);
  // Row 3 of the first column comes from the last byte.
  if (round_of(state) > 0)
    puts("positive");
  free(state);
  return 0;
}
