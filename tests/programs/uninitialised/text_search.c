// A search of SSE 4.2 among bytes that were not all set in front of the terminating zero.
// SANITIZE: memory
// NATIVE: skip it takes the instruction itself as the use, so the line is another
#include <nmmintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noinline, target("sse4.2"))) static void colon(const char *text) {
  __m128i wanted = _mm_cvtsi32_si128(':');
  __m128i loaded = _mm_loadu_si128((const __m128i *)text);
  int found = _mm_cmpistri(wanted, loaded, _SIDD_CMP_EQUAL_ANY);
  if (found < 16) // EXPECT: use-of-uninitialized-value
    printf("at %d\n", found);
  else
    puts("no colon");
}

int main(void) {
  char *text = malloc(16); // ALLOCATED
  if (!text)
    return 1;
  memcpy(text, "key", 3);
  memcpy(text + 4, " value", 7);
  colon(text);
  free(text);
  return 0;
}
