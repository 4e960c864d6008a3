// A round of AES, of which only a column is used that does not depend on the byte never set.
// SANITIZE: memory
// STDOUT: same
#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noinline, target("aes,sse4.1"))) static int round_of(const char *state) {
  __m128i loaded = _mm_loadu_si128((const __m128i *)state);
  __m128i mixed = _mm_aesenc_si128(loaded, _mm_set1_epi8(7));
  return _mm_extract_epi32(mixed, 1);
}

int main(void) {
  char *state = malloc(16);
  char *full = malloc(16);
  if (!state || !full)
    return 1;
  memset(state, 3, 15);
  memset(full, 3, 16);
  puts(round_of(state) == round_of(full) ? "same" : "not the same");
  free(full);
  free(state);
  return 0;
}
