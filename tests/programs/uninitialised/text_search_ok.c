// Searches of SSE 4.2 that read past what was set, behind a zero, a length or the first match.
// SANITIZE: memory
// NATIVE: false-alarm it takes what it has no rule for as a use
// STDOUT: 5 3 2 16
// STDOUT: 1 0
#include <nmmintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SSE42 __attribute__((noinline, target("sse4.2")))

SSE42 static int length(const char *text) {
  __m128i loaded = _mm_loadu_si128((const __m128i *)text);
  return _mm_cmpistri(_mm_setzero_si128(), loaded, _SIDD_CMP_EQUAL_EACH);
}

SSE42 static int place(const char *text, char wanted) {
  __m128i loaded = _mm_loadu_si128((const __m128i *)text);
  return _mm_cmpistri(_mm_cvtsi32_si128(wanted), loaded, _SIDD_CMP_EQUAL_ANY);
}

SSE42 static int place_in(const char *text, int size, char wanted) {
  __m128i loaded = _mm_loadu_si128((const __m128i *)text);
  return _mm_cmpestri(_mm_cvtsi32_si128(wanted), 1, loaded, size, _SIDD_CMP_EQUAL_ANY);
}

SSE42 static int has(const char *text, char wanted) {
  __m128i loaded = _mm_loadu_si128((const __m128i *)text);
  return _mm_cmpistrc(_mm_cvtsi32_si128(wanted), loaded, _SIDD_CMP_EQUAL_ANY);
}

int main(void) {
  char *text = malloc(16);
  char *part = malloc(16);
  if (!text || !part)
    return 1;
  memcpy(text, "key:v", 6);
  memcpy(part, "ab,", 3);
  printf("%d %d %d ", length(text), place(text, ':'), place(part, ','));
  printf("%d\n", place_in(part, 3, 'x'));
  printf("%d %d\n", has(text, 'v'), has(text, 'z'));
  free(part);
  free(text);
  return 0;
}
