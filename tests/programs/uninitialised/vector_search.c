// A search by vectors that finds nothing among the bytes that were set.
// SANITIZE: memory
#include <emmintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static void end_of(const char *text) {
  __m128i loaded = _mm_loadu_si128((const __m128i *)text);
  int found = _mm_movemask_epi8(_mm_cmpeq_epi8(loaded, _mm_setzero_si128()));
  if (found) // EXPECT: use-of-uninitialized-value
    printf("%d\n", __builtin_ctz(found));
  else
    puts("no end");
}

int main(void) {
  char *text = malloc(16); // ALLOCATED
  if (!text)
    return 1;
  memcpy(text, "never ended", 11);
  end_of(text);
  free(text);
  return 0;
}
